
import{ADD_DATABASE,frameworkPath}from"./vendored.js";
import{CONFIG_FILE,MIGRATE_FILE,PACKAGE_FILE,ProjectError,UsageError,VENDORED_FOLDER,closest,codeOf,compareText as compareText$1,count,createFiles,decodeText,diagnose,explainSystemError,findAbove,formatFrame,formatLocation,formatProblem,formatShape,hasErrors,isError as isError$1,isMissing,lineOf,report as report$1,requireProjectRoot,sortDiagnostics,startOf,wrapText}from"./shared.js";
import{BUILT_MIGRATE,BUILT_PACKAGE,BUILT_SERVER,DOCUMENT_PATH,HOOKS,PAGE_PATHS,compareAnswer as compareAnswer$1,diagnoseDifferences,diagnoseMissing$1 as diagnoseMissing,diagnoseUnread,functionsOf as functionsOf$2,hooksFiles,isInstalled,isOwnFile,isPackageName,isRecord,loadWhole,locate,locateOffset,mayBeInerasable,nameOf as nameOf$1,namesIn as namesIn$1,nearestLockfile,packageName,packageOf,pathOf,projectModules,readCurrentProject,readPageFile,requireMainFile,toDocumentFile,toPath as toPath$1,toRoute,wasBuiltFrom,writeBuildRecord}from"./serve.js";
import{FILE,applyEdits,awaited,branchesOf,createNameGiver,declaredBy,defined,endOf,find,findBody,findDeclaredFunction,findDefinition,findFunction,formatExport,hasFile,hasInputs,importedFromFramework,innerShapesOf,inputsKey,isBody,isDeclarationFile,isFunction,isPromise,keepFitting,keyOf as keyOf$5,labelOf,literalOf,look,mapChildren,membersOf as membersOf$1,namedIn,nodesInside,objectsOf,parseModule,parseSyntax,pathBetween,placeOf,placed,reachable,readPassedOn,readProject,readReturns,readSources,readValuesOf,referencesIn,resolveExport,resolveType,resultOf,returnedNodes,scopeOf,shortenLabel,singles,textType,toRelative,toSchema,typeOf,uniteAt,uniteShapes,withNotes,withUsers,writeWireModule,writtenResultOf}from"./convention.js";
import{findBadPackageFile,isJsonFile,readInstalled,readPackageFile,toPlace}from"./commands.js";
import{SourceMap,createRequire,isBuiltin}from"node:module";
import{copyFileSync,existsSync,mkdirSync,mkdtempSync,readFileSync,realpathSync,renameSync,rmSync,statSync,symlinkSync,writeFileSync}from"node:fs";
import{basename,dirname,extname,join as join$1,parse,posix,relative,resolve as resolve$1,sep}from"node:path";
import{pathToFileURL}from"node:url";
import{kleur}from"./libraries.js";
import{Problem,escapeControl,escapeKey,escapeLines,formatJson}from"../runtime/log.js";
import{METHODS}from"../runtime/routing.js";
import{isMultiple,isTextPlace,itemOf,membersOf,toHeaderName}from"../runtime/wire.js";
import{stripVTControlCharacters}from"node:util";
import{fork,spawn,spawnSync}from"node:child_process";
import{errorAnswer}from"../runtime/message.js";
import{tmpdir}from"node:os";
const ANYTHING$1={media:`*/*`,shape:{kind:`unknown`}};
const JSON_TYPE=`application/json`;
const TEXT={kind:`string`};
const CODES={type:true,required:true,one_of:true,min:true,max:true,exclusive_min:true,exclusive_max:true,multiple_of:true,min_length:true,max_length:true,pattern:true,format:true,min_items:true,max_items:true,unique_items:true,repeated:true,schema:true};
const ERROR=objectOf({error:TEXT});
const INVALID=objectOf({error:TEXT,issues:{kind:`array`,items:objectOf({in:textsOf(`body`,`query`,`header`,`cookie`,`form`),pointer:TEXT,code:textsOf(...Object.keys(CODES)),message:TEXT})}});
const NAMES={error:`Framework.Error`,invalid:`Framework.ValidationError`};
const ERROR_DEFINITIONS={[NAMES.error]:ERROR,[NAMES.invalid]:INVALID};
const ERROR_BODY={media:JSON_TYPE,shape:{kind:`reference`,name:NAMES.error}};
const INVALID_BODY={media:JSON_TYPE,shape:{kind:`reference`,name:NAMES.invalid}};
const ERROR_TEXT=JSON.stringify(ERROR);
function shareError(answer){if(answer.status==="default"||answer.status<400)return answer;const bodies=answer.bodies.map(body=>body.shape.kind===ERROR.kind&&JSON.stringify(body.shape)===ERROR_TEXT?{...body,shape:ERROR_BODY.shape}:body);return{...answer,bodies}}
function objectOf(shapes){return{kind:`object`,properties:Object.entries(shapes).map(([name,shape])=>({name,shape,optional:false}))}}
function textsOf(...values){return{kind:`literal`,values}}
function readInputs(route,find,{ofFunction,ofProperty}){const functions=functionsOf$1(route).map(one=>({...one,...ofFunction(one.location)}));const said=[...functions].reverse().map(({descriptions})=>descriptions);return joinForms(withoutRepeats([...route.segments.filter(segment=>typeof segment!==`string`).map(param=>toParamInput(param,route.location,said)),...functions.flatMap(({takes,...one})=>takes.flatMap(take=>toInputs({take,...one},find,ofProperty)))]),find)}
function readCredentials(route){const known=new Map;for(const{takes,location}of functionsOf$1(route))for(const{in:kind,key,optional}of takes){if(kind!==`bearer`&&kind!==`basic`&&kind!==`api-key`)continue;const name=`${kind} ${key??``}`;const before=known.get(name);const required=!optional||before?.required===true;const header=key===void 0?{}:{header:key};known.set(name,{kind,...header,required,location:before?.location??location})}return[...known.values()]}
function functionsOf$1(route){return[...route.calls,route]}
const ID={kind:`number`,integer:true,min:0,max:Number.MAX_SAFE_INTEGER};
function toParamInput({name,type},location,said){return{in:`path`,name,required:true,shape:type===`int`?ID:{kind:`string`,minLength:1},...describeAs(said.find(descriptions=>descriptions.has(name))?.get(name)),location}}
function describeAs(description){return description===void 0?{}:{description}}
function toInputs({take,location,descriptions,defaults},find,ofProperty){const{in:place,key,shape,optional,default:value}=take;if(place===`bearer`||place===`basic`||place===`api-key`)return[];const given=value===void 0?{}:{default:value};const said=describeAs(descriptions.get(take.name));const rest={required:!optional,...given,location};if(place===`form`)return[{in:place,name:``,...rest,shape:toFormShape(take)}];if(key!==void 0||place===`body`)return[{in:place,name:key??``,...rest,...said,shape}];const objects=objectsOf(shape,find);if(objects.length===0||objects.length>1&&place===`query`)return[{in:place,name:``,...rest,...said,shape,isRest:true}];return toKeys(place,objects,take,location).map(({property,...input})=>{const{name}=input;const own=descriptions.get(`${take.name}.${name}`)??descriptions.get(name);const instead=take.name===``&&!input.required?defaults.get(property?.name??``):void 0;return{...input,...property&&ofProperty(property),...instead!==void 0&&{default:instead},...describeAs(own)}})}
function toFormShape({key,shape,optional}){return key===void 0?shape:{kind:`object`,properties:[{name:key,shape,optional}]}}
function toKeys(place,objects,{optional:isOptional},location){const named=[...new Set(objects.flatMap(({properties})=>properties.map(({name})=>name)))].map(key=>{const found=objects.map(({properties})=>properties.find(property=>property.name===key));const property=found.find(one=>one!==void 0);const shape=uniteShapes(found.flatMap(one=>one?.shape??[]));const required=!isOptional&&found.every(one=>one?.optional===false);return{in:place,name:place===`header`?toHeaderName(key):key,required,shape,location,...property&&{property}}});const others=objects.flatMap(object=>object.others??[]);if(others.length===0)return named;const shape=uniteShapes(others);return[...named,{in:place,name:``,required:false,shape,isRest:true,location}]}
function withoutRepeats(inputs){const known=new Map;for(const input of inputs){const shape=input.in===`form`||input.isRest?JSON.stringify(input.shape):``;const name=`${input.in} ${input.name} ${shape}`;const first=known.get(name);const{required,description}=input;if(first===void 0)known.set(name,input);else known.set(name,{...first,required:first.required||required,...describeAs(first.description??description)})}return[...known.values()]}
function joinForms(inputs,find){const forms=inputs.filter(input=>input.in===`form`);const[first,second]=forms;if(first===void 0||second===void 0)return inputs;const required=forms.some(form=>form.required);const joined={...first,required,shape:joinShapes(forms,find)};return inputs.flatMap(input=>input.in!==`form`?[input]:input===first?[joined]:[])}
function joinShapes(forms,find){let all=[{kind:`object`,properties:[]}];for(const{shape,required}of forms){const objects=objectsOf(shape,find);if(objects.length===0)return{kind:`unknown`};all=all.flatMap(one=>objects.map(object=>joinObjects(one,object,!required)))}return uniteShapes(all)}
function joinObjects(one,other,isOptional){const properties=new Map(one.properties.map(property=>[property.name,property]));for(const{name,shape,optional}of other.properties){const before=properties.get(name);properties.set(name,{name,shape,optional:(optional||isOptional)&&before?.optional!==false})}const others=one.others??other.others;return{kind:`object`,properties:[...properties.values()],...others&&{others}}}
function enter({module,value},call){const found=findBody(value);return found&&{module,value,...found,call}}
function toCall$1({arguments:given},{call:_,...from}){const spread=given.findIndex(({type})=>type===`SpreadElement`);return{arguments:spread===-1?given:given.slice(0,spread),from}}
const namesOf=new WeakMap;
function findLocal({node},name){const names=namesOf.get(node)??readNames(node);namesOf.set(node,names);return names.get(name)}
function readNames({params,body}){const names=new Map;const note=(declared,value)=>{for(const{name}of namesIn$1(declared))names.set(name,names.has(name)?null:value)};for(const[index,param]of params.entries())note(param,(param.type===`AssignmentPattern`?param.left:param).type===`Identifier`?index:null);for(const node of nodesInside([body]))if(node.type===`VariableDeclaration`)for(const{id,init}of node.declarations)note(id,node.kind===`const`&&id.type===`Identifier`&&init?init:null);else if(node.type===`AssignmentExpression`)for(const{name}of namesIn$1(node.left))names.set(name,null);else if(node.type!==`VariableDeclarator`)for(const declared of declaredBy(node))note(declared,null);return names}
function outerPath(node,inside){const path=pathOf(node);return path&&findLocal(inside,path[0]??``)===void 0?path:void 0}
function valuesOf(node,inside){return branchesOf(node).flatMap(one=>{if(one.type===`AwaitExpression`)return valuesOf(one.argument,inside);const local=one.type===`Identifier`?findLocal(inside,one.name):void 0;const given=typeof local===`number`?inside.call?.arguments[local]:void 0;if(given&&inside.call)return valuesOf(given,inside.call.from);return typeof local===`object`&&local&&(local.start??0)<(one.start??0)?valuesOf(local,inside):[{node:one,inside}]})}
function readText$1({node,inside}){const literal=literalOf(node);if(typeof literal===`string`)return literal;if(node.type!==`TemplateLiteral`)return void 0;return node.quasis.map(({value},index)=>{const gap=node.expressions[index];return(value.cooked??value.raw)+(gap?fillGap(gap,inside):``)}).join(``)}
function fillGap(node,inside){const[value]=valuesOf(node,inside);const literal=value&&literalOf(value.node);return literal!==void 0?String(literal):`{${pathOf(node)?.at(-1)??`…`}}`}
function findText(node,inside){const[value,other]=valuesOf(node,inside);return value&&other===void 0?readText$1(value):void 0}
function fieldsOf({properties}){return new Map(properties.flatMap(property=>{const name=property.type===`ObjectProperty`?keyOf$5(property):void 0;return property.type===`ObjectProperty`&&name!==void 0?[[name,property.value]]:[]}))}
function readHeaders({node,inside}){if(node.type===`NewExpression`){const[given]=outerPath(node.callee,inside)?.join(`.`)===`Headers`?node.arguments:[];return given?valuesOf(given,inside).flatMap(readHeaders):[]}return(node.type===`ObjectExpression`?[...fieldsOf(node)]:node.type===`ArrayExpression`?node.elements.map(pair=>{const[name,value]=pair?.type===`ArrayExpression`?pair.elements:[];return[name?findText(name,inside):void 0,value]}):[]).flatMap(([name,value])=>name===void 0?[]:[{name:name.toLowerCase(),value:value?findText(value,inside):void 0}])}
function findThrown(modules,location){const declared=findDeclaredFunction(modules,location);const first=declared&&enter(declared);const functions=first?[first]:[];const errors=[];const followed=new Set;for(const inside of functions)for(const node of nodesReached(inside)){const error=readError(modules,node,inside);const call=`${inside.module.file}:${node.start}`;if(error)errors.push(error);else if(node.type===`CallExpression`&&!followed.has(call)){followed.add(call);const path=outerPath(node.callee,inside);const called=path&&findFunction(modules,inside.module,{path});const entered=called&&enter(called,toCall$1(node,inside));if(entered)functions.push(entered)}}return errors}
function nodesReached({node:{params,body}}){return nodesInside([...params,body],node=>{return node.type===`TryStatement`&&node.handler&&!throws(node.handler)?[node.handler,node.finalizer]:Object.values(node)}).sort((one,other)=>(one.start??0)-(other.start??0))}
function throws(node){return nodesInside([node]).some(({type})=>type===`ThrowStatement`)}
function readError(modules,node,inside){const location=locate(inside.source,node);if(node.type===`ThrowStatement`)return branchesOf(node.argument).map(one=>nameCallee(modules,one,inside)).some(name=>/^Response\b/.test(name))?{kind:`response`,location}:void 0;if(node.type===`NewExpression`&&nameCallee(modules,node,inside)===`framework HttpError`)return{kind:`error`,location,...readArguments(node,inside)};const method=node.type===`CallExpression`?readMethod(modules,node.callee,inside):void 0;return method===void 0?void 0:{kind:`body`,method,location}}
function nameCallee(modules,node,inside){const path=node.type===`NewExpression`||node.type===`CallExpression`?outerPath(node.callee,inside):void 0;const found=path&&find(modules,inside.module,{path},`value`);if(found?.kind===`framework`)return`framework ${found.path.join(`.`)}`;return found?.kind===`global`?found.path.join(`.`):``}
function readMethod(modules,callee,inside){if(callee.type!==`MemberExpression`||callee.computed||callee.property.type!==`Identifier`)return void 0;const{object,property}=callee;const index=object.type===`Identifier`?findLocal(inside,object.name):void 0;const param=typeof index===`number`?inside.node.params[index]:void 0;return param?.type===`Identifier`&&isRequest(modules,param,inside)?property.name:void 0}
function isRequest(modules,param,{source,module}){const type=typeOf(source,param);if(type===null)return param.name===`request`;return resolveType({modules,module,generics:new Set,followed:new Set},type).kind===`request`}
function readArguments(node,inside){const[status,body,options]=toCall$1(node,inside).arguments;const statuses=status?valuesOf(status,inside).flatMap(readStatus):[locate(inside.source,node)];const given=options?valuesOf(options,inside):[];return{statuses:[...new Set(statuses)],body:body&&{node:body,inside},headers:given.flatMap(value=>readOption(value,`headers`)).flatMap(readHeaders)}}
function readStatus({node,inside}){const literal=literalOf(node);if(literal===void 0)return[locate(inside.source,node)];return typeof literal===`number`&&Number.isInteger(literal)&&literal>=400&&literal<=599?[literal]:[]}
function readOption({node,inside},name){const option=node.type===`ObjectExpression`?fieldsOf(node).get(name):void 0;return option?valuesOf(option,inside):[]}
function toErrorAnswers(error,{types,project}){const{location}=error;if(error.kind===`response`)return[{status:`default`,bodies:[ANYTHING$1],headers:[],location}];if(error.kind===`body`)return(REFUSED_BODIES[error.method]??[]).map(([status,text])=>{return{status,description:text.replace(`{limit}`,String(project.settings.bodyLimit)),bodies:[ERROR_BODY],headers:[],location}});const{statuses,headers,body}=error;const values=body?valuesOf(body.node,body.inside):[];const description=describe$1(values);const given=values.length>0?uniteShapes(values.map(value=>toShape(value,types))):MESSAGE;const shape=body&&given.kind===`unknown`?toShape(body,types):given;const type=headers.find(({name})=>name===`content-type`)?.value??``;const media=IS_JSON.test(type)?(type.split(`;`)[0]??type).trim().toLowerCase():JSON_TYPE;return statuses.map(status=>({status:typeof status===`number`?status:`default`,...description!==void 0&&{description},bodies:[{media,shape}],headers:headers.map(({name})=>name).filter(name=>name!==`content-type`),location}))}
const MESSAGE=ERROR_BODY.shape;
const TOO_LARGE=[413,`The request body is larger than {limit} bytes`];
const REFUSED_BODIES={json:[[400,`The request body is not valid JSON`],TOO_LARGE],formData:[[400,`The request body is not form data`],TOO_LARGE],text:[TOO_LARGE],bytes:[TOO_LARGE],arrayBuffer:[TOO_LARGE],blob:[TOO_LARGE]};
const IS_JSON=/^application\/(?:[\w.-]+\+)?json\b/i;
function describe$1(values){const texts=values.flatMap(value=>{const[text=``]=[value,...readOption(value,`error`)].flatMap(one=>readText$1(one)??[]);return text.trim()===``||/^\{[^{}]*\}$/.test(text.trim())?[]:[text.trim()]});return texts.length===0?void 0:[...new Set(texts)].join(`; `)}
function toShape({node,inside},{shapes}){if(node.type===`MemberExpression`&&pathOf(node)?.at(-1)===`message`)return MESSAGE;const{module,value,source}=inside;const type=readValuesOf(inside.node,source,module)(node);return withMessage(shapes.readResult(shapes.part({type,scope:scopeOf(module,value)})).shape)}
function withMessage(shape){if(shape.kind===`union`)return uniteShapes(shape.of.map(withMessage));const isText=shape.kind===`literal`&&shape.values.every(value=>typeof value===`string`);return shape.kind===`string`||isText?MESSAGE:shape}
function readFrameworkRefusals(route,find,bodyLimit){const takes=functionsOf$1(route).flatMap(({takes,location})=>takes.map(take=>({take,location})));const body=takes.find(({take})=>isBody(take));const misfit=takes.find(({take})=>canMisfit(take,find));const answers=takes.flatMap(refuseCredential);if(body)answers.push(...refuseBody(body,bodyLimit));if(misfit)answers.push(answer(422,`A value does not fit what the operation takes`,misfit.location));return answers;function answer(status,description,location,...headers){return{status,description,bodies:[status===422?INVALID_BODY:ERROR_BODY],headers,location}}function refuseCredential({take,location}){const description=CREDENTIALS[take.in];if(description===void 0||take.optional)return[];return[answer(401,description.replace(`{key}`,take.key??``),location,`www-authenticate`)]}function refuseBody({take,location},limit){const[what,kind]=take.in===`form`?[`form data`,`a form`]:[`valid JSON`,`JSON`];return[answer(400,`The request body is not ${what}`,location),answer(413,`The request body is larger than ${limit} bytes`,location),answer(415,`The request body must be ${kind}`,location,`accept`,`accept-encoding`)]}}
const CREDENTIALS={bearer:`A bearer token is missing`,basic:`A username and a password are missing`,"api-key":`The header {key} is missing`};
function canMisfit({in:place,key,shape,optional},find){if(place===`bearer`||place===`basic`||place===`api-key`)return false;if(place===`body`)return resolve(shape,find).kind!==`unknown`;const objects=key===void 0?objectsOf(shape,find):[];if(objects.length===0)return!optional||!fitsEachText(shape,place,find);return objects.some(({properties,others})=>objects.length>1||others!==void 0&&!fitsEachText(others,place,find)||properties.some(one=>!one.optional||!fitsEachText(one.shape,place,find)))}
function fitsEachText(given,place,find){const shape=resolve(given,find);if(place===`form`)return false;if(shape.kind===`array`&&place===`query`)return Object.keys(shape).length===2&&isAnyText(resolve(shape.items,find));return place!==`query`&&isAnyText(shape)}
function isAnyText(shape){return shape.kind===`string`&&Object.keys(shape).length===1}
function resolve(shape,find){const seen=new Set;let found=shape;while(found.kind===`reference`&&!seen.has(found.name)){seen.add(found.name);found=find(found.name)??{kind:`never`}}return found}
function readReplies(source){const inside=enter(source);if(inside===void 0)return[];return returnedNodes(inside.node).flatMap(node=>valuesOf(node,inside)).flatMap(readReply)}
function readReply({node,inside}){if(node.type!==`CallExpression`)return[];const path=outerPath(node.callee,inside);if(!path||importedFromFramework(inside.module,path)!==`reply`)return[];const[,status,headers]=node.arguments;const codes=status?valuesOf(status,inside).map(one=>literalOf(one.node)):[void 0];const known=headers?valuesOf(headers,inside).map(readHeaders):[[]];return codes.flatMap(code=>known.map(given=>toReplied(code,given)))}
function toReplied(status,known){const content=known.find(({name})=>name===`content-type`);const names=known.flatMap(({name})=>name===`content-type`?[]:[name]);const media=content&&toMedia(content.value??``);return{status:typeof status===`number`?status:void 0,names,media}}
function toMedia(value){const media=(value.split(`;`)[0]??``).trim().toLowerCase();return/^[\w.+-]+\/[\w.+-]+$/.test(media)?media:`*/*`}
const BYTES_PIECE={status:200,media:`application/octet-stream`,isBinary:true};
const NOTHING={status:204,media:null};
function splitResult(result){const whole=awaited(result);return joinValues(whole,membersOf$1(whole).flatMap(splitMember))}
function joinValues(whole,pieces){const isValue=({status,media,body})=>status===200&&media===`application/json`&&body!==void 0;const parts=pieces.filter(isValue).flatMap(({body})=>body??[]);if(parts.length<2)return pieces;const members=membersOf$1(whole);const isWhole=parts.length===pieces.length&&parts.every(type=>members.includes(type));return[{status:200,media:JSON_TYPE,body:isWhole?whole:uniteAt(whole.at,parts)},...pieces.filter(piece=>!isValue(piece))]}
function splitMember(type){const found=look(type);switch(found.kind){case`undefined`:case`null`:return[NOTHING];case`never`:return[];case`union`:return splitResult(type);case`unknown`:return[unknown$1(type)];case`string`:return[{status:200,media:`text/plain`,body:type}];case`literal`:return splitLiterals(type);case`tuple`:return splitTuple(type,found);case`array`:return splitArray(type,found);case`file`:return[{status:200,media:`*/*`,isBinary:true}];case`refused`:case`constraints`:return[unknown$1(type)];case`function`:return[unsendable(type)];case`named`:return splitNamed(type,found);default:return[{status:200,media:JSON_TYPE,body:type}]}}
function unknown$1(type){return{status:`default`,media:`*/*`,problem:{type,isUnsendable:false}}}
function unsendable(type){return{status:`default`,media:`*/*`,problem:{type,isUnsendable:true}}}
function splitLiterals(type){const values=singles(type).map(one=>({one,isText:isText$1(one)}));const texts=values.filter(({isText})=>isText).map(({one})=>one);const others=values.filter(({isText})=>!isText).map(({one})=>one);return[...texts.length>0?[{status:200,media:`text/plain`,body:uniteAt(type.at,texts)}]:[],...others.length>0?[{status:200,media:JSON_TYPE,body:uniteAt(type.at,others)}]:[]]}
function isText$1(type){return type.kind===`string`||type.kind===`literal`&&typeof type.values[0]===`string`}
function splitTuple(type,{items,rest}){const whole={status:200,media:JSON_TYPE,body:type};const[first,second]=items;if(items.length!==2||rest||!first||!second||first.optional||second.optional)return[whole];const status=second.type;const statuses=statusesOf(status);if(statuses===void 0)return/^(?:unknown|refused|named|function)$/.test(look(status).kind)?[unknown$1(type)]:[whole];const members=membersOf$1(first.type);const objects=members.filter(isObject$1);if(objects.length===0)return[whole];if(members.some(isPromise)||members.every(member=>UNSENDABLE.test(namedIn(member)?.name??``)))return[unsendable(type)];const others=members.filter(member=>!isObject$1(member)||isAnything(member));const body=others.length===0?first.type:uniteAt(first.type.at,objects);const pairs=statuses.map(one=>withStatus({status:200,media:JSON_TYPE,body},one));return others.length===0?pairs:[...pairs,listOf(type,uniteAt(first.type.at,others),status)]}
function splitArray(type,{items}){const whole={status:200,media:JSON_TYPE,body:type};const members=membersOf$1(items);const objects=members.filter(member=>isObject$1(member)&&!isAnything(member));if(objects.length===0)return[whole];const pair={...whole,body:uniteAt(items.at,objects)};return[whole,...members.flatMap(singles).flatMap(one=>statusesOf(one)??[]).map(status=>withStatus(pair,status))]}
function isAnything({kind}){return kind===`unknown`||kind===`refused`||kind===`function`}
function listOf(place,one,other){const body={kind:`tuple`,items:[one,other].map(type=>({type,optional:false})),at:{text:`[${labelOf(one)}, ${labelOf(other)}]`,location:place.at.location}};return{status:200,media:JSON_TYPE,body}}
function isObject$1(type){return/^(?:object|date|unknown|refused|named|function|file)$/.test(look(type).kind)}
function statusesOf(type){const found=look(type);if(found.kind===`number`)return[`default`];if(found.kind!==`literal`||found.values.some(value=>typeof value!==`number`))return void 0;return found.values.flatMap(value=>typeof value===`number`&&Number.isInteger(value)&&value>=200&&value<=599?value:[])}
function withStatus(piece,status){if(status===204||status===205||status===304)return{status,media:null};return{...piece,status}}
const BYTES=/^(?:Buffer|ArrayBuffer|DataView|(?:Uint8|Uint8Clamped|Int8|Uint16|Int16|Uint32|Int32|BigInt64|BigUint64|Float16|Float32|Float64)Array)$/;
const STREAMS=/^(?:ReadableStream|Async(?:Iterable|Iterator|Generator|IterableIterator|IteratorObject))$/;
const UNSENDABLE=/^(?:(?:Readonly)?(?:Map|Set)|Generator|(?:Iterable)?Iterator|IteratorObject|Function|symbol)$/;
function splitNamed(type,{name,of}){if(name===`Promise`||name===`PromiseLike`)return splitResult(type);if(name===`Blob`)return[{status:200,media:`*/*`,isBinary:true}];if(name===`Response`)return[{status:`default`,media:`*/*`}];if(name===`framework Reply`)return splitReply(type,of);if(name===`framework EventStream`)return[toEvents(of)];if(BYTES.test(name))return[BYTES_PIECE];if(STREAMS.test(name))return toStream(type,of[0]);if(UNSENDABLE.test(name))return[unsendable(type)];if(/^(?:RegExp|URL|WeakMap|WeakSet)$/.test(name))return[{status:200,media:JSON_TYPE,body:type}];return[unknown$1(type)]}
function splitReply(type,[value,status]){if(value&&membersOf$1(value).some(isPromise))return[unsendable(type)];const statuses=(status&&statusesOf(status))??[`default`];const pieces=value?splitResult(value):[unknown$1(type)];const sent=value&&membersOf$1(value).some(member=>look(member).kind===`tuple`)&&value?[{status:200,media:JSON_TYPE,body:value}]:pieces;return statuses.flatMap(one=>sent.map(piece=>({...withStatus(piece,one),isReply:true})))}
function toEvents([data]){const members=data?membersOf$1(data):[];const known=members.map(member=>{const named=namedIn(member);return named?.name===`framework ServerSentEvent`?named.of[0]:member}).filter(one=>one!==void 0);const body=data&&known.length===members.length&&known.length>0?uniteAt(data.at,known):void 0;return{status:200,media:`text/event-stream`,...body&&{body}}}
function isNoPiece(item){return!/^(?:unknown|refused|named|function)$/.test(item.kind)&&!isText$1(item)}
function toStream(type,items){const members=items?membersOf$1(items):[];const texts=members.filter(member=>isText$1(member));const text={status:200,media:`text/plain`,body:textType(type.at)};if(members.length>0&&texts.length===members.length)return[text];if(members.length>0&&members.every(isNoPiece))return[unsendable(type)];const isKnown=members.length>0&&members.every(member=>isText$1(member)||BYTES.test(namedIn(member)?.name??``));return texts.length>0||!isKnown?[text,BYTES_PIECE]:[BYTES_PIECE]}
function readReturned(sources,route,inferred){const{handler,location}=route;const{shapes,modules}=sources.types;const source=findHandler(modules,route);const found=findResult();if(found===void 0)return notKnown(handler,location);const unread=[];const unsendable=[];const known=found.pieces.flatMap(toAnswers);return{answers:found.pieces.some(({problem})=>problem&&!problem.isUnsendable)?known.map(withAnything):known,diagnostics:diagnoseAll(handler,found.isWhole,unread,unsendable)};function findResult(){const written=source&&writtenResultOf(modules,source);if(written)return split({types:[written],isWhole:true});const type=inferred?.(route.module,handler);const whole=type&&split({types:[type],isWhole:true});if(whole&&!isVague(whole))return whole;const said=source&&split(typesOf(modules,source));return whole&&(said===void 0||saysLess(said,whole))?whole:said}function split(one){const pieces=one.types.flatMap(scoped=>splitResult(shapes.part(scoped)).map(piece=>({...piece,location:scoped.type.location})));return{...one,pieces}}function toAnswers(piece){const{status,media,body,problem,isReply,isBinary}=piece;if(problem)(problem.isUnsendable?unsendable:unread).push(problem.type.at);const read=body&&shapes.readResult(body);unread.push(...read?.unread??[]);const shape=read?.shape??{kind:isBinary?`file`:`unknown`};const answer={status,bodies:media===null?[]:[{media,shape}],headers:[],location:piece.location};return isReply&&source?withHeaders(answer,readReplies(source)):[answer]}}
function withAnything(answer){return answer.status===200?{...answer,bodies:[ANYTHING$1]}:answer}
function isVague({pieces}){return pieces.some(({problem})=>problem)||pieces.every(({status})=>status===204)}
function saysLess(said,whole){return said.pieces.some(({problem})=>problem)&&whole.pieces.some(({problem})=>!problem)}
function findHandler(modules,{module:file,handler,location}){const module=modules.get(file);const origin=module&&resolveExport(modules,module,handler,location);return origin?.kind===`function`?origin:void 0}
function typesOf(modules,source){const returned=readReturns(source.value,source.module);const scope=scopeOf(source.module,source.value);const generated=returned?.isGenerator?resultOf(modules,source):void 0;return{types:generated?[generated]:(returned?.types??[]).map(type=>({type,scope})),isWhole:false}}
function notKnown(name,location){return{answers:[{status:`default`,bodies:[ANYTHING$1],headers:[],location}],diagnostics:[diagnose(`FW900`,{name,type:name},location)]}}
function diagnoseAll(name,isWhole,unread,[unsendable]){return[...(isWhole?unread:unread.slice(0,1)).map(({text:type,location})=>isWhole?diagnose(`FW902`,{type},location):diagnose(`FW900`,{name,type},location)),...unsendable?[diagnose(`FW901`,{name,type:unsendable.text},unsendable.location)]:[]]}
function withHeaders(answer,replies){const own=replies.filter(({status})=>status===void 0||status===answer.status);if(own.length===0)return[answer];return own.map(({names,media})=>{const bodies=answer.bodies.map(body=>({...body,media:media??body.media}));return{...answer,bodies,headers:[...new Set(names)].sort()}})}
function readErrorHook(sources,hook,inferred){const{module,exported:handler,location}=hook;if((findDeclaredFunction(sources.types.modules,location)??inferred?.(module,handler))===void 0)return{own:[toDefault(location)],bodies:[ANYTHING$1],passes:true,diagnostics:[explain$1(`error hook`,hook)]};const{answers,diagnostics}=readReturned(sources,{module,handler,location},inferred);const passes=answers.some(({status})=>status===204);const plain=answers.filter(({status})=>status===200);const own=answers.filter(({status})=>status!==200&&status!==204);const isOpen=own.some(({status})=>status==="default");return{own,bodies:[...plain.flatMap(answer=>answer.bodies),...isOpen?[ANYTHING$1]:[]],passes,diagnostics}}
function answerErrors(answers,hook){const{own,bodies,passes}=hook;return[...answers.flatMap(answer=>{const other=bodies.length===0?[]:[{...answer,bodies}];return passes?[answer,...other]:other}),...own]}
function readMiddleware({types},hook){const{modules,shapes}=types;const{location}=hook;const declared=findDeclaredFunction(modules,location);const passed=declared&&readPassedOn(declared.value);const returned=declared&&readReturns(declared.value,declared.module);if(!declared||!passed||!returned||returned.isGenerator)return{answers:[toDefault(location)],diagnostics:[explain$1(`middleware`,hook)]};const scope=scopeOf(declared.module,declared.value);const own=returned.types.filter((_,index)=>index<passed.length&&!passed[index]);let isKnown=true;return{answers:own.flatMap(type=>splitResult(shapes.part({type,scope})).flatMap(piece=>{const{status,media,body,problem}=piece;if(status===204&&!piece.isReply)return[];if(problem)isKnown=false;const shape=body?shapes.readResult(body).shape:ANYTHING$1.shape;return[{status,bodies:media===null?[]:[{media,shape}],headers:[],location:type.location}]})),diagnostics:isKnown?[]:[explain$1(`middleware`,hook)]}}
function toDefault(location){return{status:`default`,bodies:[ANYTHING$1],headers:[],location}}
const INSTEAD={"error hook":"Export a function, as in `export function error(error: unknown) { … }`.",middleware:'Return what `next()` gave, or an object with a status, as in `[{ error: "…" }, 429]`.'};
function explain$1(hook,{module,location}){const what=`What the ${hook} of ${module} answers`;return diagnose(`FW910`,{what,instead:INSTEAD[hook]},location)}
function createRefusalReader(sources,inferred){const{types,project}=sources;const thrownAt=remember(location=>readThrown(sources,location));const ofErrorHook=remember(hook=>readErrorHook(sources,hook,inferred));const ofMiddleware=remember(hook=>readMiddleware(sources,hook));const outside=project.unmatched?[project.unmatched]:[];return route=>{const{hooks,method}=route;const thrown=functionsOf$1(route).map(({location})=>thrownAt(location));const refused=readFrameworkRefusals(route,types.shapes.definition,project.settings.bodyLimit);const answers=[...around(refuseParam(route),outside),...around([...refused,...thrown.flatMap(one=>one.answers)],hooks),...hooks.flatMap((folder,index)=>fromMiddleware(folder,hooks.slice(0,index+1)))];return{answers:method===`HEAD`?answers.map(answer=>({...answer,bodies:[]})):answers,inputs:thrown.flatMap(({inputs=[]})=>inputs),diagnostics:[...thrown,...[...outside,...hooks].flatMap(readFolder)].flatMap(one=>one.diagnostics)}};function around(first,folders){return folders.reduceRight((answers,{error})=>error?[...answerErrors(answers,ofErrorHook(error)),...thrownAt(error.location).answers]:answers,first)}function fromMiddleware({middleware},folders){if(!middleware)return[];return[...ofMiddleware(middleware).answers,...around(thrownAt(middleware.location).answers,folders)]}function readFolder({error,middleware}){return[...error?[ofErrorHook(error),thrownAt(error.location)]:[],...middleware?[ofMiddleware(middleware),thrownAt(middleware.location)]:[]]}}
function refuseParam({segments,location}){return segments.some(segment=>typeof segment!==`string`&&segment.type===`int`)?[{status:404,bodies:[ERROR_BODY],headers:[],location}]:[]}
function readThrown(sources,location){const errors=findThrown(sources.types.modules,location);return{answers:errors.flatMap(error=>toErrorAnswers(error,sources)),inputs:errors.flatMap(toInput),diagnostics:errors.flatMap(computedIn).map(place=>diagnose(`FW910`,COMPUTED,place))}}
function computedIn(error){return error.kind===`error`?error.statuses.filter(status=>typeof status!==`number`):[]}
const COMPUTED={what:"The status of this `HttpError`",instead:"Write the number, or declare the answer in the handler's return type, as in `Book | [{ error: string }, 404]`."};
function toInput(error){const method=error.kind===`body`?error.method:void 0;const rest={name:``,required:false,location:error.location};if(method===`json`)return[{in:`body`,...rest,shape:{kind:`unknown`}}];const fields={kind:`object`,properties:[],others:{kind:`unknown`}};return method===`formData`?[{in:`form`,...rest,shape:fields}]:[]}
function remember(read){const known=new Map;return key=>{const value=known.get(key)??read(key);known.set(key,value);return value}}
function createAnswerReader(sources,inferred){const readRefusals=createRefusalReader(sources,inferred);return route=>{const returned=readReturned(sources,route,inferred);const found=[returned,readRefusals(route)];const answers=found.flatMap(one=>one.answers).map(shareError);return{answers:answers.length===0?[nothingKnown(route)]:mergeAnswers(answers),inputs:found.flatMap(({inputs=[]})=>inputs),isOpen:returned.diagnostics.length>0||returned.answers.some(({status})=>status==="default"),diagnostics:found.flatMap(({diagnostics})=>diagnostics)}}}
function nothingKnown({location}){return{status:`default`,bodies:[ANYTHING$1],headers:[],location}}
function mergeAnswers(answers){const merged=new Map;for(const answer of answers){const before=merged.get(answer.status);merged.set(answer.status,before?mergeTwo(before,answer):answer)}return[...merged.values()].sort((one,other)=>orderOf(one)-orderOf(other))}
function orderOf({status}){return status==="default"?Number.POSITIVE_INFINITY:status}
function mergeTwo(one,other){const descriptions=distinct([one,other].flatMap(({description=[]})=>description));return{...one,...descriptions.length>0&&{description:descriptions.join(`; `)},bodies:mergeBodies([...one.bodies,...other.bodies]),headers:distinct([...one.headers,...other.headers]).sort()}}
function distinct(texts){return[...new Set(texts)]}
function mergeBodies(bodies){const byMedia=new Map;for(const body of bodies)byMedia.set(body.media,[...byMedia.get(body.media)??[],body]);return[...byMedia].map(([media,all])=>({media,shape:uniteShapes(all.map(({shape})=>shape))})).sort((one,other)=>compareMedia(one.media,other.media))}
function compareMedia(one,other){const rank=media=>media===`application/json`?0:media===`*/*`?2:1;return rank(one)-rank(other)||(one<other?-1:1)}
function readDeclared(sources,route){if(!writesResult(sources,route))return void 0;const answers=mergeAnswers(readReturned(sources,route,void 0).answers).map(loosenBodies);const definitions=sources.types.shapes.allDefinitions;const shapes=answers.flatMap(({bodies})=>bodies.map(({shape})=>shape));const used=[...reachable(shapes,definitions)].flatMap(name=>{const shape=definitions[name];return shape?[[name,loosen(shape)]]:[]});return{answers,definitions:Object.fromEntries(used)}}
function loosenBodies(answer){return{...answer,bodies:answer.bodies.map(body=>({...body,shape:loosen(body.shape)}))}}
function loosen(shape){const looser=mapChildren(shape,loosen);if(looser.kind!==`object`)return looser;const{properties,others}=looser;if(properties.length===0&&others===void 0)return{kind:`unknown`};const loose=properties.map(one=>({...one,optional:one.optional||one.shape.kind===`unknown`}));return{...looser,properties:loose}}
function writesResult({types:{modules}},{module:file,handler,location}){const module=modules.get(file);const origin=module&&resolveExport(modules,module,handler,location);return origin?.kind===`function`&&writtenResultOf(modules,origin)!==void 0}
function readAbout({project,files}){const of=readPackage(files.read(PACKAGE_FILE));const{title,version,description=textOf$1(of.description),servers=[]}=project.contract??{};const license=textOf$1(of.license);return{title:title??textOf$1(of.name)??(basename(project.root)||`API`),version:version??textOf$1(of.version)??`0.0.0`,...description!==void 0&&{description},...license!==void 0&&{license},servers}}
function readPackage(text=`{}`){try{const parsed=JSON.parse(text);return isRecord(parsed)?parsed:{}}catch{return{}}}
function textOf$1(value){return typeof value===`string`&&value.trim()!==``?value.trim():void 0}
function nameTypes$1(definitions,{labels,declared}){const all=definitions.map(name=>({name,label:labels.get(name)??name}));const words=nameDeclared([...new Set(all.flatMap(({label})=>label.match(WORDS)??[]))].flatMap(word=>declared.get(word)??[]));const spell=(label,toWord)=>label.replace(WORDS,word=>{const found=declared.get(word);return found?toWord(found):word});const wanted=all.map(({name,label})=>({name,wanted:spell(label,one=>words.get(keyOf$4(one))??one.name),key:spell(label,keyOf$4)}));const names=createNameGiver();const sorted=wanted.sort((one,other)=>compareText$1(one.wanted,other.wanted)||compareText$1(one.key,other.key));return new Map(sorted.map(one=>[one.name,names.claim(one.key,shortenLabel(one.wanted))]))}
const WORDS=/"(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
function keyOf$4({file,name}){return`${file} ${name}`}
function nameDeclared(all){const files=new Map;for(const{file,name}of all)files.set(name,[...files.get(name)??[],file]);return new Map(all.map(one=>{const{file,name}=one;const rivals=(files.get(name)??[]).filter(other=>other!==file);const before=rivals.every(other=>nameFile(other)!==nameFile(file))?nameFile(file):toWord(withoutEnding(file));return[keyOf$4(one),rivals.length===0?name:`${before}_${name}`]}))}
const COMMON=new Set([`index`,`views`,`types`,`_hooks`]);
function nameFile(file){const[name=``,folder]=withoutEnding(file).split(`/`).reverse();return toWord(COMMON.has(name)?folder??name:name)}
function withoutEnding(file){return file.replace(/(?:\.d)?\.[cm]?[jt]s$/,``)}
function toWord(text){return(text.match(/[\p{L}\p{N}]+/gu)??[`File`]).map(word=>word.slice(0,1).toUpperCase()+word.slice(1)).join(``)}
function finishShape(shape,names,notesOf){if(shape.kind===`reference`)return{kind:`reference`,name:names.get(shape.name)??shape.name};const mapped=mapChildren(shape,inner=>finishShape(inner,names,notesOf));const written=shape.kind===`object`?shape.properties:[];return placedAs(shape,mapped.kind===`object`?{...mapped,properties:mapped.properties.map((one,index)=>finishProperty(one,written[index]))}:mapped);function finishProperty(copied,property=copied){const notes=notesOf(property);return placedAs(property,notes?{...copied,notes}:copied)}}
function placedAs(original,copy){const place=placeOf(original);return place?placed(copy,place):copy}
function nameOperations(routes){const candidates=routes.map(route=>toCandidate(route)).sort(compareCandidates);const taken=new Map;const late=candidates.filter(({route,name})=>{const isFree=!taken.has(name);if(isFree)taken.set(name,route);return!isFree});for(const{route,full}of late)taken.set(findFree(full,taken),route);const names=new Map([...taken].map(([name,route])=>[route,name]));return new Map(routes.map(route=>[route,names.get(route)??``]))}
function toCandidate(route){const{method,segments}=route;const spelled=segments.map(spell);const full=spelled.flatMap(({isParam,words})=>isParam?[`by`,...words]:words);const words=withoutNamedParams(spelled);const odd=spelled.filter(one=>!one.isParam&&one.words.join(``)!==one.text);return{route,name:join(method,words),full:join(method,full),loss:segments.length===0?1:odd.length+full.length-words.length,path:spelled.map(({text,isParam})=>isParam?`<${text}>`:text).join(`/`)}}
function spell(segment){const isParam=typeof segment!==`string`;const text=isParam?segment.name:segment;return{text,isParam,words:wordsOf(text)}}
function compareCandidates(one,other){return one.loss-other.loss||(one.path<other.path?-1:one.path>other.path?1:0)}
function join(method,words){return[method.toLowerCase(),...(words.length===0?[`root`]:words).map(capitalize$1)].join(``)}
function withoutNamedParams(segments){const words=[];let unmatched=[];for(const{isParam,words:own}of segments){if(!isParam){for(const word of own)unmatched=isBy(word)?[]:[...unmatched,word];words.push(...own);if(!words.some(isBy))unmatched=[];continue}const at=findSuffix(own,unmatched);if(at===void 0)words.push(`by`,...own);else unmatched=[...unmatched.slice(0,at.start),...unmatched.slice(at.end)]}return words}
function isBy(word){return word.toLowerCase()===`by`}
function findSuffix(name,among){for(let from=0;from<name.length;from++){const wanted=name.slice(from).map(lower);const start=among.findIndex((_,at)=>wanted.every((word,step)=>lower(among[at+step])===word));if(start!==-1)return{start,end:start+wanted.length}}}
function lower(word=``){return word.toLowerCase()}
const WORD=/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
function wordsOf(text){return text.normalize(`NFKD`).replace(/\p{M}/gu,``).replace(/[^\0-\x7f]/gu,character=>` ${toNumber(character)} `).match(WORD)??[...text].map(toNumber)}
function toNumber(character){return`U${(character.codePointAt(0)??0).toString(16).toUpperCase()}`}
function capitalize$1(word){return word.slice(0,1).toUpperCase()+word.slice(1)}
function findFree(name,taken){let free=name;for(let number=2;taken.has(free);number++)free=`${name}${number}`;return free}
const NO_COMMENT={prose:{},params:new Map,description:``};
const alreadyRead=new WeakMap;
function readComment(sources,location){const comment=alreadyRead.get(location)??findComment(sources,location);alreadyRead.set(location,comment);return comment}
function findComment({files,types},location){const{module,name=``}=findDeclaredFunction(types.modules,location)??{};const text=module&&files.read(module.file);const comment=text&&findCommentBefore(text,module.places,module.places.declarations.get(name)??0);return comment?parseComment(comment):NO_COMMENT}
const TYPE_HEAD=/^\s*(?:(?:export|default|declare|abstract|const)\s+)*(?:interface|type|class|enum)\s[^;{}]*$/;
const PROPERTY_HEAD=/^\s*(?:(?:readonly|public|declare)\s+)*(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|"[^"\n]*"|'[^'\n]*')\s*[?!]?\s*:[\s(|]*$/u;
function readNotes({files,types},location,shape){const module=location&&types.modules.get(location.file);if(!location||!module||module.places.comments.length===0)return void 0;const text=files.read(module.file)??``;const comment=findCommentBefore(text,module.places,offsetOf(module,text,location),between=>PROPERTY_HEAD.test(between)||TYPE_HEAD.test(between));if(comment===void 0)return void 0;const{prose,description,default:value,example}=parseComment(comment);const[initial,sample]=[value,example].map(one=>one===void 0?void 0:parseValue(one,shape));const notes={...description!==``&&{description},...prose.deprecated&&{deprecated:prose.deprecated},...initial!==void 0&&{default:initial},...sample!==void 0&&{example:sample}};return Object.keys(notes).length===0?void 0:notes}
function parseValue(text,shape){const bare=/^(['`])(.*)\1$/s.exec(text)?.[2]??text;return[...parseJson(text),bare,text].find(value=>isOf(value,shape))}
function parseJson(text){try{return[JSON.parse(text)]}catch{return[]}}
function isOf(value,shape){switch(shape.kind){case`string`:case`number`:case`boolean`:return typeof value===shape.kind;case`date`:return typeof value===`string`;case`literal`:return shape.values.some(one=>one===value);case`array`:case`tuple`:return Array.isArray(value);case`object`:return typeof value===`object`&&value!==null&&!Array.isArray(value);default:return true}}
const lineStarts=new WeakMap;
function offsetOf(module,text,{line,column}){const ends=text.matchAll(/\r\n|[\r\n\u2028\u2029]/g);const starts=lineStarts.get(module)??[0,...Array.from(ends,end=>end.index+end[0].length)];lineStarts.set(module,starts);return(starts[line-1]??0)+column-1}
function findCommentBefore(text,{comments},offset,isHead=between=>between.trim()===``){let next=offset;for(let index=countBefore(comments,offset)-1;index>=0;index--){const{start,end}=comments[index]??{start:0,end:0};const between=text.slice(end,next);if(next===offset?!isHead(between):between.trim()!==``)return void 0;if(/^\/\*\*[^*/]/.test(text.slice(start,start+4)))return text.slice(start,end);next=start}}
function countBefore(comments,offset){let[low,high]=[0,comments.length];while(low<high){const middle=low+high>>1;if((comments[middle]?.start??0)<offset)low=middle+1;else high=middle}return low}
function parseComment(comment){const[text=``,...tags]=splitTags(undecorate(comment));const{summary,rest}=splitSummary(resolveLinks(text).trim());const deprecation=tags.find(tag=>/^@deprecated\b/.test(tag));const reason=resolveLinks(deprecation?.replace(/^@deprecated\s*/,``)??``).trim();const withReason=part=>[part,reason&&`Deprecated: ${reason}`].filter(one=>one!==``).join(`

`);const description=withReason(rest);const tagged=name=>tags.find(tag=>tag.startsWith(`@${name}`))?.slice(name.length+1).trim()||void 0;const[value,example]=[tagged(`default`),tagged(`example`)];return{description:withReason(resolveLinks(text).trim()),...value!==void 0&&{default:value},...example!==void 0&&{example},...tags.some(tag=>/^@hidden\b/.test(tag))&&{isHidden:true},prose:{...summary!==``&&{summary},...description!==``&&{description},...deprecation!==void 0&&{deprecated:true}},params:new Map(tags.flatMap(parseParam))}}
function undecorate(comment){const[first=``,...others]=comment.slice(3,-2).split(/\r\n?|\n/).map(line=>line.trimEnd());const isStarred=others.every(line=>line===``||/^\s*\*/.test(line));const bare=isStarred?others.map(line=>line.replace(/^\s*\*+(?=\s|[^*]|$)/,``)):others;const indents=bare.flatMap(line=>line.trim()===``?[]:[line.search(/\S/)]);const indent=Math.min(...indents,isStarred?1:Number.POSITIVE_INFINITY);return[first.trimStart(),...bare.map(line=>line.slice(indent))]}
const INNER_TAG=/\s+(?=@(?:deprecated|default|example|hidden)\b)/;
function splitTags(lines){const parts=[[]];let fence;for(const line of lines){const[mark]=/^\s{0,3}(?:```+|~~~+)/.exec(line)??[];if(mark!==void 0&&(fence===void 0||line.trim()===fence))fence=fence===void 0?mark.trim():void 0;const pieces=fence===void 0?line.split(INNER_TAG):[line];for(const piece of pieces)if(fence===void 0&&/^\s*@[a-z]/i.test(piece))parts.push([piece.trim()]);else parts.at(-1)?.push(piece)}return parts.map(part=>part.join(`
`))}
function resolveLinks(text){return text.replace(/\{@link(?:code|plain)?\s+([^\s|}]+)\s*\|?\s*([^}]*)\}/g,(_,target,label)=>{const shown=label.trim();if(/^https?:/.test(target))return shown===``?`<${target}>`:`[${shown}](${target})`;return shown===``?`\`${target}\``:shown})}
const BLOCK=/^\s*(?:[-*+] |\d+[.)] |#|>|\||```|~~~|$)/;
const FULL_LINE=60;
function splitSummary(text){const lines=text.split(`
`);if(BLOCK.test(lines[0]??``))return{summary:``,rest:text};let sentence=``;for(const[index,line]of lines.entries()){const words=line.trim();const end=findSentenceEnd(words);const rest=[words.slice(end).trimStart(),...lines.slice(index+1)].join(`
`).replace(/^(?:[ \t]*\n)+/,``).trimEnd();const next=lines[index+1];sentence=`${sentence} ${words.slice(0,end)}`.trim();if(end<words.length||/[.!?]$/.test(words)||next===void 0||BLOCK.test(next)||words.length<FULL_LINE&&/^\s*\p{Lu}/u.test(next))return{summary:sentence.replace(/\.$/,``),rest}}return{summary:sentence,rest:``}}
function findSentenceEnd(line){for(const{0:end,index}of line.matchAll(/[.!?][)"'”’*_`]*(?=\s+[^\s\p{Ll}])/gu))if(!/(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|approx|no)$/i.test(line.slice(0,index)))return index+end.length;return line.length}
function parseParam(tag){const[,name=``,text=``]=/^@(?:param|arg|argument)\s+(?:\{[^}]*\}\s*)?\[?([\w$.]+)(?:=[^\]]*)?\]?\s*(?:[-–—:]\s+)?([\s\S]*)$/.exec(tag)??[];const words=resolveLinks(text).trim().replace(/[ \t]*\n(?!\s*\n)[ \t]*/g,` `);return name===``||words===``?[]:[[name,words]]}
function readDefaults({types},location){const parameters=findDeclaredFunction(types.modules,location)?.value.parameters??[];return new Map(parameters.flatMap(parameter=>parameter.kind===`destructured`?[...parameter.defaults]:[]))}
function mapShapes(operation,map){const inputs=operation.inputs.map(input=>({...input,shape:map(input.shape)}));const answers=operation.answers.map(answer=>{const bodies=answer.bodies.map(body=>({...body,shape:map(body.shape)}));return{...answer,bodies}});return{...operation,inputs,answers}}
function readContract(sources,{inferred}={}){const{project,types}=sources;const routes=project.routes.filter(({location})=>!readComment(sources,location).isHidden);const ids=nameOperations(routes);const labels=new Map(project.apps.map(({name,label})=>[name,label]));const diagnostics=new Map;const readAnswers=createAnswerReader(sources,inferred);const notesOf=property=>readNotes(sources,placeOf(property),property.shape);const operations=routes.map(route=>toOperation(route,ids.get(route)??``));const{allDefinitions,naming}=types.shapes;const names=nameTypes$1(Object.keys(allDefinitions),naming);const finish=shape=>finishShape(shape,names,notesOf);const definitions=Object.entries(allDefinitions).map(([name,shape])=>[names.get(name)??name,finish(shape)]);const notes=definitions.flatMap(([name,shape])=>{const found=readNotes(sources,placeOf(shape),shape);return found?[[name,found]]:[]});return{about:readAbout(sources),operations:operations.map(operation=>mapShapes(operation,finish)),refused:ERROR_BODY,definitions:{...Object.fromEntries(definitions),...ERROR_DEFINITIONS},notes:Object.fromEntries(notes),diagnostics:sortDiagnostics([...diagnostics.values()])};function toOperation(route,id){const{method,pattern,segments,handler,location,app}=route;const found=readAnswers(route);for(const one of found.diagnostics)diagnostics.set(JSON.stringify(one),one);return{id,method,pattern,segments,...app!==null&&{tag:labels.get(app)??app},handler,location,...readComment(sources,location).prose,inputs:withOwnBody(route,found),credentials:readCredentials(route),answers:found.answers,...found.isOpen===true&&{isOpen:true}}}function withOwnBody(route,{inputs:[own]=[]}){const{definition}=types.shapes;const inputs=readInputs(route,definition,{ofFunction:place=>({descriptions:readComment(sources,place).params,defaults:readDefaults(sources,place)}),ofProperty:notesOf});const hasBody=inputs.some(isBody);const isUnsent=route.method===`GET`||route.method===`HEAD`;return own===void 0||hasBody||isUnsent?inputs:[...inputs,own]}}
async function loadContract(root,{infer=true}={}){const sources=readSources(root);const{project}=sources;if(hasErrors(project.diagnostics))throw new ProjectError(root,project.diagnostics);const{inferResults}=await import("./contract.js").then((module)=>({inferResults:module.inferResults}));const results=infer?await inferResults(sources):void 0;const contract=readContract(sources,results);const diagnostics=[...results?.diagnostics??[],...contract.diagnostics];return{contract:{...contract,diagnostics},project}}
const OF_DOCUMENTS=[`$schema`,`$id`,`~standard`];
const VALUES=[`const`,`enum`,`default`,`examples`];
const NAMED=[`properties`,`patternProperties`,`dependentSchemas`,`$defs`,`definitions`];
function embed(schema,place){const entries=Object.entries(schema).filter(([key])=>!OF_DOCUMENTS.includes(key));return Object.fromEntries(entries.map(([key,value])=>[key,embedKeyword(key,value,place)]))}
function embedKeyword(key,value,place){if(key===`$ref`&&typeof value===`string`&&value.startsWith(`#`))return place+value.slice(1);if(VALUES.includes(key))return value;if(Array.isArray(value))return value.map(item=>isObject(item)?embed(item,place):item);if(!isObject(value))return value;return NAMED.includes(key)?embedEach(value,place):embed(value,place)}
function embedEach(schemas,place){const entries=Object.entries(schemas);return Object.fromEntries(entries.map(([name,one])=>[name,isObject(one)?embed(one,place):one]))}
function isObject(value){return typeof value===`object`&&value!==null&&!Array.isArray(value)}
function createComponents({definitions,notes},errors,schemas){const nameOf=nameComponents(Object.keys(definitions));const bodies=errors.flatMap(shape=>isOwnError(shape)?[[JSON.stringify(shape),shape]]:[]);for(const[key,shape]of bodies.toSorted(([one],[other])=>compareText$1(one,other)))nameOf(key,nameError(shape));const reached=new Map;const outside={refer:name=>add(nameOf(name),()=>withNotes(toSchema(findDefinition(name,definitions),outside),notes[name])),file:{...FILE,format:`binary`},integer:{format:`int64`},ask(shape){const schema=schemas?.(shape);if(schema===void 0)return void 0;const name=nameOf(`${shape.file}#${shape.exported}`,shape.exported);return{$ref:add(name,()=>embed(schema,`${PLACE$1}${name}`))}}};const add=(name,make)=>{if(!reached.has(name))reached.set(name,make);return`${PLACE$1}${name}`};return{toSchema:shape=>toSchema(shape,outside),toErrorSchema:function toErrorSchema(shape){if(shape.kind===`union`)return{anyOf:shape.of.map(toErrorSchema)};if(!isOwnError(shape))return toSchema(shape,outside);return{$ref:add(nameOf(JSON.stringify(shape),nameError(shape)),()=>toSchema(shape,outside))}},schemas(){const entries=Array.from(reached,([name,make])=>[name,make()]);return Object.fromEntries(entries.sort(([one],[other])=>compareText$1(one,other)))}}}
function isOwnError(shape){return shape.kind===`object`&&shape.properties.length>0}
function nameError({properties}){return[`Error`,...properties.map(({name})=>name)].join(`.`).slice(0,LONGEST_NAME)}
const LONGEST_NAME=60;
const PLACE$1=`#/components/schemas/`;
function nameComponents(definitions){const names=createNameGiver();const name=(key,wanted=key)=>names.claim(key,toComponentName(wanted));for(const one of definitions.toSorted())name(one);return name}
function toComponentName(name){return name.replace(/[^\w.-]+/g,`_`).replace(/^_+|_+$/g,``)||`Schema`}
function orNothing(value){return Object.keys(value).length===0?void 0:value}
const ELSEWHERE=[`accept`,`content-type`,`authorization`];
function toParameters(inputs,surroundings){return inputs.flatMap(input=>{const{in:place,name,isRest}=input;if(isBody(input)||place===`header`&&ELSEWHERE.includes(name))return[];if(!isRest)return[toParameter(input,surroundings)];return place===`query`?[toRestParameter(input,inputs,surroundings)]:[]})}
function toParameter(input,{components,isList}){const{in:place,name,shape}=input;const{default:value,example}=input;const schema=withNotes(components.toSchema(shape),{default:value,example});const repeated=place===`query`&&isList(shape)?EXPLODED:{};return{name,in:place,...aboutIt(input),...repeated,schema}}
const EXPLODED={style:`form`,explode:true};
function toRestParameter(input,inputs,surroundings){const{shape}=input;const object=shape.kind===`schema`||surroundings.objectsOf(shape).length>0?shape:{kind:`object`,properties:[],others:shape};const schema=surroundings.components.toSchema(object);return{name:freeName(input,inputs),in:`query`,...aboutIt(input),...EXPLODED,schema}}
function freeName(input,inputs){const taken=inputs.filter(one=>one.in===`query`&&!one.isRest).map(({name})=>name);let name=`others${inputs.filter(one=>one.in===`query`&&one.isRest).indexOf(input)||``}`;while(taken.includes(name))name+=`_`;return name}
function aboutIt({description,deprecated,required}){return defined({description,deprecated,required:required||void 0})}
function toOperation(operation,{template,params},surroundings){const{id,method,tag,summary,description,deprecated,inputs}=operation;return defined({operationId:id,tags:tag===void 0?void 0:[tag],summary:summary??`${method} ${template}`,description,deprecated,parameters:orNothing(toParameters(withParamNames(inputs,params),surroundings)),requestBody:toRequestBody(inputs,surroundings),responses:toResponses(operation,surroundings),security:orNothing(surroundings.security.toRequirements(operation))})}
function withParamNames(inputs,params){const inPath=inputs.filter(({in:place})=>place===`path`);return inputs.map(input=>({...input,name:params[inPath.indexOf(input)]??input.name}))}
function toRequestBody(inputs,surroundings){const bodies=inputs.filter(isBody);if(bodies.length===0)return void 0;const content=bodies.flatMap(body=>toContent(body,surroundings).map(([media,shape])=>[media,{schema:surroundings.components.toSchema(shape)}]));return defined({description:bodies.map(body=>body.description).find(one=>one!==void 0),content:Object.fromEntries(content),required:bodies.some(body=>body.required)||void 0})}
function toContent({in:place,shape},{hasFile,objectsOf}){if(place===`body`)return[[`application/json`,shape]];const parts=[`multipart/form-data`,shape];if(!hasFile(shape))return[[`application/x-www-form-urlencoded`,shape],parts];const[object,second]=objectsOf(shape);if(object===void 0||second!==void 0)return[parts];const texts=object.properties.filter(property=>!hasFile(property.shape));return object.properties.every(property=>property.optional||texts.includes(property))?[parts,[`application/x-www-form-urlencoded`,{...object,properties:texts}]]:[parts]}
function toResponses({answers,segments},{components,refused}){const responses=answers.map(answer=>[answer.status,toResponse(answer,components)]);const isRefused=answers.some(({status})=>status!=="default"&&status>=400&&status<500);const hasParam=segments.some(segment=>typeof segment!==`string`);return Object.fromEntries(isRefused||!hasParam?responses:[[`4XX`,toRefusal()],...responses]);function toRefusal(){return{description:`The request is refused.`,content:answers.every(({status})=>status!=="default")?{[refused.media]:{schema:components.toSchema(refused.shape)}}:{"*/*":{schema:{}}}}}}
function toResponse(answer,components){const{status,description,bodies,headers}=answer;const content=bodies.map(body=>[body.media,{schema:toBodySchema(body,answer,components)}]);return defined({description:description??describe(status),headers:orNothing(toHeaders(headers)),content:orNothing(Object.fromEntries(content))})}
function toBodySchema({media,shape},answer,components){if(isError(answer))return components.toErrorSchema(shape);const schema=components.toSchema(shape);return shape.kind===`file`&&media!==`*/*`?{...schema,contentMediaType:media}:schema}
function isError({status}){return status!=="default"&&status>=400}
function toHeaders(names){const own=names.filter(name=>name!==`content-type`);return Object.fromEntries(own.map(name=>[name,{schema:{type:`string`}}]))}
function describe(status){if(status==="default")return`The status is not known before it is sent.`;return process.getBuiltinModule(`node:http`).STATUS_CODES[status]??`Status ${status}`}
function toPaths(operations){const groups=new Map;for(const operation of operations){const key=operation.segments.map(one=>formatSegment(one,()=>``)).join(`/`);const group=groups.get(key);if(group===void 0)groups.set(key,[operation]);else group.push(operation)}return Array.from(groups.values(),toPath)}
function toPath(group){const operations=new Map;const hidden=[];for(const operation of group){const by=operations.get(operation.method);if(by===void 0)operations.set(operation.method,operation);else hidden.push({operation,by})}const segments=group[0]?.segments??[];return{template:formatTemplate(segments),params:paramsOf(segments),operations,hidden}}
function paramsOf(segments){return segments.flatMap(segment=>typeof segment===`string`?[]:[toAscii(segment.name)])}
function toAscii(name){return name.replace(/\W/gu,letter=>`_${letter.codePointAt(0)?.toString(16)}`)}
function formatTemplate(segments){return`/${segments.map(one=>formatSegment(one,toAscii)).join(`/`)}`}
function formatSegment(segment,nameOf){if(typeof segment!==`string`)return`{${nameOf(segment.name)}}`;return encodeURI(segment).replace(/[/?#]/g,encodeURIComponent)}
function toSecurity({operations}){const names=createNameGiver();const nameOf=({kind,header=``})=>names.claim(`${kind} ${header}`,header===``?kind:toComponentName(header));const all=operations.flatMap(secretsOf).toSorted(byKindAndHeader);const schemes=Object.fromEntries(all.map(one=>[nameOf(one),toScheme(one)]));const join=secrets=>Object.fromEntries(secrets.map(one=>[nameOf(one),[]]));return{schemes,toRequirements(operation){const secrets=secretsOf(operation);if(secrets.length===0)return[];const required=secrets.filter(one=>one.required);const alternatives=secrets.filter(one=>!one.required).map(one=>join([...required,one]));return requiresOne(operation)?alternatives:[...alternatives,join(required)]}}}
function requiresOne({credentials,answers}){return credentials.every(({required})=>!required)&&answers.some(({status})=>status===401)}
function secretsOf(operation){const{credentials,inputs}=operation;if(credentials.length===0||!requiresOne(operation))return credentials;const cookies=inputs.filter(input=>input.in===`cookie`&&!input.required&&!input.isRest&&credentials.some(({location})=>formatLocation(location)===formatLocation(input.location)));return[...credentials,...cookies.map(({name})=>({kind:`cookie`,header:name,required:false}))]}
function byKindAndHeader(one,other){return compareText$1(sortKeyOf(one),sortKeyOf(other))}
function sortKeyOf({kind,header=``}){return`${header===``?0:1} ${kind} ${header}`}
function toScheme({kind,header}){if(kind===`cookie`)return{type:`apiKey`,in:`cookie`,name:header};if(kind===`api-key`)return{type:`apiKey`,in:`header`,name:header};return{type:`http`,scheme:kind}}
const OPENAPI=`3.1.1`;
function toOpenApi(contract,schemas){const{about,operations}=contract;const surroundings=surround(contract,schemas);const items=toPaths(operations).map(path=>[path.template,toPathItem(path,surroundings)]);const{components,security}=surroundings;return defined({openapi:OPENAPI,info:toInfo(about),servers:toServers(about),security:[],tags:orNothing(tagsOf(operations)),paths:Object.fromEntries(items),components:orNothing(defined({schemas:orNothing(components.schemas()),securitySchemes:orNothing(security.schemes)}))})}
function surround(contract,schemas){const{definitions,refused,operations}=contract;const errors=operations.flatMap(({answers})=>answers.filter(isError).flatMap(({bodies})=>bodies.flatMap(({shape})=>membersIn$1(shape))));const find=name=>findDefinition(name,definitions);const isList=shape=>membersOf(shape,definitions).some(({kind})=>kind===`array`||kind===`tuple`);return{components:createComponents(contract,errors,schemas),security:toSecurity(contract),refused,hasFile:shape=>hasFile(shape,find),isList,objectsOf:shape=>objectsOf(shape,find)}}
function membersIn$1(shape){return shape.kind===`union`?shape.of:[shape]}
function toInfo({title,version,description,license}){return defined({title,version,description,license:license&&toLicense(license)})}
function toLicense(license){return{name:license,identifier:license===`UNLICENSED`||/[^\w.+() -]/.test(license)||license.startsWith(`SEE LICENSE`)?`LicenseRef-${license.replace(/[^A-Za-z0-9.-]+/g,`-`)}`:license}}
function toServers({servers}){return(servers.length===0?[`/`]:servers).map(url=>({url:url===`/`?url:url.replace(/\/$/,``)}))}
function tagsOf(operations){const tags=new Set(operations.flatMap(({tag})=>tag===void 0?[]:[tag]));return Array.from(tags,name=>({name,description:`The routes of ${name}.`}))}
function toPathItem({template,params,operations},surroundings){const items=METHODS.flatMap(method=>{const operation=operations.get(method);if(operation===void 0)return[];return[[method.toLowerCase(),toOperation(operation,{template,params},surroundings)]]});return Object.fromEntries(items)}
function formatJsonDocument(document){return`${formatJson(document,2)}\n`}
function formatYaml(document){return`${linesOf(document).join(`
`)}\n`}
function linesOf(value){if(Array.isArray(value))return value.length===0?[`[]`]:value.flatMap(item=>hang(`- `,linesOf(item)));if(typeof value===`object`&&value!==null){const entries=Object.entries(value).filter(([,inner])=>inner!==void 0);return entries.length===0?[`{}`]:entries.flatMap(([key,inner])=>entryLines(key,inner))}if(typeof value===`string`)return isBlock(value)?blockLines(value):[formatText(value)];return[formatScalar(value)]}
function hang(first,lines){return lines.map((line,at)=>at===0?first+line:indented(line))}
function indented(line){return line===``?``:`  ${line}`}
function entryLines(key,value){const[first=``,...others]=linesOf(value);const name=formatText(key);const[head,start]=name.length>1e3?[[`? ${name}`],`:`]:[[],`${name}:`];return isContainer(value)&&first!==`[]`&&first!==`{}`?[...head,start,...[first,...others].map(indented)]:[...head,`${start} ${first}`,...others.map(indented)]}
function isContainer(value){return typeof value===`object`&&value!==null}
function isBlock(text){return/^[^\s][^\n]*\n/.test(text)&&!/\n\n$|\n[^\S\n]+(\n|$)|\t|\r/.test(text)&&isPrintable(text)}
function blockLines(text){const[style,body]=text.endsWith(`
`)?[`|`,text.slice(0,-1)]:[`|-`,text];return[style,...body.split(`
`)]}
function isPrintable(text){return formatJson(text)===JSON.stringify(text)}
const PLAIN=/^[\p{L}/$][\p{L}\p{N}\p{M} _./(){}$;=+'"`*,-]*$/u;
const OTHER_THAN_TEXT=/^(y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;
function formatText(text){return PLAIN.test(text)&&!text.endsWith(` `)&&!OTHER_THAN_TEXT.test(text)?text:quote(text)}
function quote(text){return formatJson(text).replace(/\\(?:u(d[89ab]..)\\u(d[c-f]..)|.)/g,(written,high,low)=>{if(high===void 0||low===void 0)return written;return`\\U${(String.fromCharCode(Number.parseInt(high,16),Number.parseInt(low,16)).codePointAt(0)??0).toString(16).padStart(8,`0`)}`})}
function formatScalar(value){return String(JSON.stringify(value)??null).replace(/^(-?\d+)e/,`$1.0e`)}
async function makeDocs(root){const{contract,project}=await loadContract(root);const page=PAGE_PATHS.map(path=>[path,readPageFile(path,project.contract)]);const document=toDocumentFile(formatJsonDocument(toOpenApi(contract)));return{...Object.fromEntries(page),[DOCUMENT_PATH]:document}}
const ENTRY=`\0framework:entry`;
const SOURCE=`\0framework:source`;
const TOOLCHAIN=frameworkPath(`tools/`);
const PUBLIC=new Map([[`framework`,frameworkPath(`index.js`)],[`framework/http`,frameworkPath(`http.js`)],[`framework/database`,frameworkPath(`database.js`)]]);
function toEntryModules(sources){return{sources,resolve(specifier,importer){if(Object.hasOwn(sources,specifier))return specifier;return importer!==void 0&&isToolchain(specifier,importer)?SOURCE:PUBLIC.get(specifier)}}}
function isToolchain(specifier,importer){return(specifier.startsWith(`.`)?resolve$1(dirname(importer),specifier):``).startsWith(TOOLCHAIN)&&importer.startsWith(frameworkPath())}
function sourceThatThrows(message){return`export function loadProject() { throw new Error(${JSON.stringify(message)}); }`}
function quoteFile(name){return JSON.stringify(frameworkPath(`${name}.js`))}
function findMissingExports(root,error){return errorsIn(error).flatMap(({code,message=``,id=``,loc})=>{const[,name,exporter]=/"([^"]+)" is not exported by "([^"]+)"/.exec(message)??[];if(code!==`MISSING_EXPORT`||name===void 0||!loc||!isOwnFile(root,id))return[];const file=toPath$1(root,id);const why=`${exporter} does not provide an export named '${name}'`;return diagnose(`FW503`,{module:file,why},{file,line:loc.line,column:loc.column+1})})}
function toWarnings(root,{id=``,message=``,loc}){if(!loc||!isOwnFile(root,id))return[];const[why=``]=stripVTControlCharacters(message).replace(/^\[\w+\] /,``).split(`
`);const place={file:toPath$1(root,id),line:loc.line,column:loc.column+1};return[diagnose(`FW709`,{why:why.replace(/\.$/,``)},place)]}
function toProblem(root,error){const hint=explain(error).includes(`vendor/framework/database`)?ADD_DATABASE:void 0;return new Problem(`The bundler failed${nameFiles(root,error)}: ${explain(error)}`,hint)}
function nameFiles(root,error){const unnamed=errorsIn(error).flatMap(({id})=>id===void 0?[]:toPath$1(root,id)).filter(file=>!explain(error).includes(file));return unnamed.length===0?``:` in ${unnamed.join(`, `)}`}
function errorsIn(error){return error instanceof Error&&`errors`in error&&Array.isArray(error.errors)?error.errors:[]}
function explain(error){return error instanceof Error?error.message:String(error)}
function isCaught(parser,file,source){const nodes=parseNodes(parser,readFileSync(file,`utf8`),file);const loads=nodes.filter(node=>sourceOf$1(node)===source);const caught=nodes.flatMap(node=>caughtPart(node)??[]);return loads.length>0&&loads.every(node=>isInside(node,caught))}
function sourceOf$1(node){if(node.type===`ImportExpression`)return textOf(node.source);if(node.type!==`CallExpression`||!isName(node.callee,`require`))return void 0;return Array.isArray(node.arguments)?textOf(node.arguments[0]):void 0}
function caughtPart(node){if(node.type===`TryStatement`)return node.handler!==null&&isNode(node.block)?node.block:void 0;const{callee,arguments:words}=node;if(!isNode(callee)||callee.type!==`MemberExpression`||!isNode(callee.object))return void 0;const count=Array.isArray(words)?words.length:0;return isName(callee.property,`catch`)&&count>0||isName(callee.property,`then`)&&count>1?callee.object:void 0}
function parseNodes(parser,code,file){try{return[...nodesIn(parser.parse(code,{lang:languageOf(file),sourceType:`unambiguous`}))]}catch{return[]}}
function languageOf(file){if(/\.[cm]?ts$/.test(file))return`ts`;return/x$/.test(file)?`tsx`:`js`}
function*nodesIn(value){if(Array.isArray(value))for(const item of value)yield*nodesIn(item);if(!isNode(value))return;yield value;for(const child of Object.values(value))yield*nodesIn(child)}
function isNode(value){return typeof value===`object`&&value!==null&&`type`in value&&`start`in value}
function isName(value,name){return isNode(value)&&value.type===`Identifier`&&value.name===name}
function textOf(value){if(!isNode(value))return void 0;return value.type===`Literal`&&typeof value.value===`string`?value.value:void 0}
function isInside(node,ranges){return ranges.some(({start,end})=>start<=node.start&&node.end<=end)}
function createGraph(root){const steps=new Map;return{get files(){return steps.keys()},add(file,step){const before=steps.get(file);if(before)before.push(step);else steps.set(file,[step])},placeOf:step=>placeOfOwn([step])??locate(step),placeOfFile:file=>placeOfOwn(stepsTo(file)),isNeeded:(parser,step)=>isNeeded(parser,step,new Set),isFileNeeded:(parser,file)=>(steps.get(file)??[]).some(step=>isNeeded(parser,step,new Set([file])))};function stepsTo(file){return(steps.get(file)??[]).filter(({importer})=>!isOfBuild(importer))}function placeOfOwn(first){const seen=new Set;for(let front=first;front.length>0;){const[own]=front.filter(({importer})=>isOfProject(importer)).sort(compareSteps);if(own)return locate(own);const importers=new Set(front.map(({importer})=>importer).filter(file=>!seen.has(file)));for(const file of importers)seen.add(file);front=[...importers].flatMap(stepsTo)}}function locate({importer,source}){const text=readFileSync(importer,`utf8`);const offset=Math.max(text.indexOf(`"${source}"`),text.indexOf(`'${source}'`),0);return locateOffset(toPath$1(root,importer),text,offset)}function isNeeded(parser,step,seen){const{importer,source,kind}=step;if(isOfBuild(importer))return true;if(kind!==`import-statement`&&isCaught(parser,importer,source))return false;if(seen.has(importer))return false;seen.add(importer);const before=steps.get(importer)??[];return before.length===0||before.some(earlier=>isNeeded(parser,earlier,seen))}}
function isOfBuild(importer){return importer.startsWith(`\0`)}
function isOfProject(importer){return packageOf(importer)===void 0&&!importer.startsWith(frameworkPath())}
function compareSteps(one,other){return compareText$1(one.importer,other.importer)||compareText$1(one.source,other.source)}
const PLATFORM$1=/^(?:bun|cloudflare|jsr|npm):/;
const PATH=/^\.{0,2}\//;
const BUNDLED=/^(?:\.[cm]?[jt]sx?|\.json|)$/;
const BUILTIN=`\0framework:builtin:`;
const ABSENT=`\0framework:absent:`;
const ADDON_LOADERS=new Set([`@mapbox/node-pre-gyp`,`@neon-rs/load`,`bindings`,`node-gyp-build`,`node-gyp-build-optional-packages`,`pkg-prebuilds`]);
function followImports(root,external,graph,diagnostics){const troubles=[];return{name:`framework-imports`,async resolveId(source,importer,{kind}){if(importer===void 0)return void 0;const step={importer,source,kind};if(isOfBuild(importer)){graph.add(source,step);return}if(PLATFORM$1.test(source)||external.has(packageName(source)))return{id:source,external:true};if(isBuiltin(source))return resolveBuiltin(source,kind);const found=await this.resolve(source,importer,{skipSelf:true,kind});const trouble=found&&!found.external?findUnfit(found.id,step):findMissing(step);if(trouble)troubles.push(trouble);if(found===null||found.external)return resolveMissing(step);graph.add(found.id,step);if(trouble)return standIn(step);return isOwnFile(root,found.id)?{...found,moduleSideEffects:true}:found},load(id){if(id.startsWith(BUILTIN))return{code:builtinSource(id.slice(19)),moduleType:`js`};if(id.startsWith(ABSENT))return{code:absentSource(id.slice(18)),moduleType:`js`}},buildEnd(){for(const{step,error,warning}of troubles){const report=graph.isNeeded(this,step)?error:warning;if(report)diagnostics.push(report(graph.placeOf(step)))}}};function findMissing(step){const{source,kind,importer}=step;if(isOwnFile(root,importer)||kind===`import-statement`)return toTrouble(step,place=>diagnose(`FW703`,{source},place));const name=packageOf(importer)??``;return extname(source)===`.node`?{step,error:place=>diagnose(`FW701`,{name,file:source},place)}:void 0}function findUnfit(id,step){const file=toPath$1(root,id);const native=findNative(id,step.importer);if(native)return{step,error:place=>diagnose(`FW701`,native,place),warning:place=>diagnose(`FW706`,native,place)};if(BUNDLED.test(extname(id)))return void 0;return toTrouble(step,place=>diagnose(`FW702`,{file},place))}function findNative(id,importer){const file=toPath$1(root,id);const loader=packageOf(id);const user=packageOf(importer);if(extname(id)===`.node`)return{name:user??loader??file,file};return loader!==void 0&&ADDON_LOADERS.has(loader)&&loader!==user&&user!==void 0?{name:user,file:`by ${loader}`}:void 0}}
function toTrouble(step,error){const{kind,source}=step;return{step,error:kind===`dynamic-import`?place=>diagnose(`FW707`,{source},place):error}}
function resolveMissing(step){return step.kind===`dynamic-import`&&!PATH.test(step.source)?{id:step.source,external:true}:standIn(step)}
function resolveBuiltin(source,kind){const id=source.replace(/^(?!node:)/,`node:`);return kind===`require-call`?{id:BUILTIN+id}:{id,external:true,moduleSideEffects:false}}
function builtinSource(name){return`import * as builtin from "${name}";\nmodule.exports = builtin.default;\n`}
function standIn({source,kind}){return{id:`${ABSENT}${kind===`require-call`?`MODULE_NOT_FOUND`:`ERR_MODULE_NOT_FOUND`}:${source}`}}
function absentSource(absent){const[,code,source=``]=/^(.*?):(.*)$/s.exec(absent)??[];return`module.exports = {};\nthrow Object.assign(new Error(${JSON.stringify(`Cannot find module '${source}'`)}), { code: "${code}" });\n`}
function refuseInerasable(root,diagnostics){return{name:`framework-inerasable`,transform(code,id){if(!isOwnFile(root,id)||!/\.m?ts$/.test(id)||!mayBeInerasable(code))return;const{inerasable}=parseModule(code,toPath$1(root,id));diagnostics.push(...inerasable.map(found=>diagnose(`FW318`,found,found.location)))}}}
const LOADS_BY_PATH=/\bimport\.meta\.(?:url|dirname|filename)\b|\b__require\b|\bdlopen\b/;
const NAMES_ADDON=/(?:[\w)}]|\+\s*["'])\.node["'`]/;
const FOLLOWED=/\brequire\(\s*(["'])[^"'\n]*\1\s*\)/g;
const OF_A_PLATFORM=/[/-](?:linux|darwin|win32)-(?:x64|arm64)\b/;
function findNativeParts(root,graph,diagnostics){return{name:`framework-native`,generateBundle(_,outputs){const modules=Object.values(outputs).flatMap(output=>Object.entries(output.modules??{}));for(const[id,{code}]of modules){const name=packageOf(id);if(name===void 0||isOfBuild(id)||!LOADS_BY_PATH.test(code??``))continue;if(!namesAddon(readFileSync(id,`utf8`))&&!hasPlatforms(id,name))continue;if(!graph.isFileNeeded(this,id))continue;const file=toPath$1(root,id);const place=graph.placeOfFile(id)??startOf(file);diagnostics.push(diagnose(`FW701`,{name,file:`loaded by ${file}`},place))}}}}
function namesAddon(text){return NAMES_ADDON.test(/\bcreateRequire\b/.test(text)?text:text.replace(FOLLOWED,``))}
function hasPlatforms(id,name){const names=readInstalled(dirname(id),name)?.optionalDependencies;return isRecord(names)&&Object.keys(names).some(one=>OF_A_PLATFORM.test(one))}
function findSyntaxError(root,file,code,map){const{stderr}=spawnSync(process.execPath,[`--check`,`--input-type=module`,`-`],{input:code,encoding:`utf8`,env:{...process.env,NODE_OPTIONS:``}});const[,why]=/^SyntaxError: (.+)$/m.exec(stderr)??[];if(why===void 0)return[];const[,line,before]=/^\[stdin\]:(\d+)\n.*\n([^^\n]*)\^/.exec(stderr)??[];const isPlaced=before!==void 0;const place={file,line:Number(line),column:(before??``).length+1};return[diagnose(`FW708`,{why,isPlaced},...isPlaced?[toSource(root,place,map)]:[])]}
function toSource(root,built,map){const entry=new SourceMap(JSON.parse(map)).findEntry(built.line-1,built.column-1);if(!(`originalSource`in entry))return built;return{file:toPath$1(root,join$1(root,dirname(built.file),entry.originalSource)),line:entry.originalLine+1,column:entry.originalColumn+1}}
const OWN_PLACE=/(?<!\btypeof )\bimport\.meta\.(?:url|dirname|filename)\b/;
const IN_SOURCE=/\b__(?:dir|file)name\b|\bimport\.meta\.(?:url|dirname|filename)\b/;
function findPlaces(root,modules,graph){const packages=new Set;return modules.flatMap(([id,code])=>{const name=packageOf(id);if(packages.has(name??``)||name===void 0&&!isOwnFile(root,id)||isOfBuild(id)||!OWN_PLACE.test(code))return[];const source=readFileSync(id,`utf8`);const{index=0,0:text=`import.meta`}=IN_SOURCE.exec(source)??{};const location=locateOffset(toPath$1(root,id),source,index);if(name===void 0)return diagnose(`FW704`,{text},location);packages.add(name);const use={name,place:`${location.file}:${location.line}`};return diagnose(`FW704`,{text,use},graph.placeOfFile(id)??location)})}
async function bundle(root,{file,modules:{resolve,sources}},{external=[],minify=false},graph,diagnostics){const{rolldown}=await importBundler(root);const resolveOwn=(source,importer,{kind})=>{const id=resolve(source,importer);if(id!==void 0&&importer!==void 0)graph.add(id,{importer,source,kind});return id};try{const build=await rolldown({input:ENTRY,cwd:root,platform:`node`,onLog:(_,log)=>diagnostics.push(...toWarnings(root,log)),tsconfig:false,resolve:{conditionNames:[`node`,`module-sync`,`default`],mainFields:[`main`],extensions:[`.js`,`.json`,`.node`]},transform:{typescript:{onlyRemoveTypeImports:true},define:{__dirname:`import.meta.dirname`,__filename:`import.meta.filename`}},plugins:[{name:`framework-entry`,resolveId:resolveOwn,load:id=>sources[id]},followImports(root,new Set(external),graph,diagnostics),refuseInerasable(root,diagnostics),findNativeParts(root,graph,diagnostics)]});const{output}=await build.generate({entryFileNames:basename(file),format:`esm`,sourcemap:true,codeSplitting:false,keepNames:true,minify:minify&&{compress:true,mangle:{keepNames:{class:true,function:false}}}});await build.close();const modules=output.flatMap(one=>Object.entries(one.modules??{})).map(([id,{code}])=>[id,code??``]);const[code=``,map=`{}`]=output.map(one=>one.code??one.source);if(!hasErrors(diagnostics))diagnostics.push(...findSyntaxError(root,file,code,map));diagnostics.push(...findPlaces(root,modules,graph));return output}catch(error){if(hasErrors(diagnostics))return[];const missing=findMissingExports(root,error);if(missing.length===0)throw toProblem(root,error);diagnostics.push(...missing);return[]}}
async function importBundler(root){try{const path=createRequire(join$1(root,`package.json`)).resolve(`rolldown`);return await import(pathToFileURL(path).href)}catch(error){throw new Problem(`The build needs the project's devDependencies.`,"Run `npm install` first.",{cause:error})}}
function findExternals(root,external,diagnostics){const ranges=external.flatMap(({name,location})=>{const installed=isPackageName(name)?readInstalled(root,name):void 0;if(installed!==void 0)return[[name,toRange(name,installed)]];const nearest=closest(name,dependenciesOf(root));diagnostics.push(diagnose(`FW703`,{source:name,nearest},...location?[location]:[]));return[]});return Object.fromEntries(ranges.sort())}
function toRange(name,installed){const version=typeof installed.version===`string`?installed.version:`*`;return typeof installed.name===`string`&&installed.name!==name?`npm:${installed.name}@${version}`:version}
function dependenciesOf(root){const read=readPackageFile(createFiles(root));if(!isJsonFile(read))return[];const{dependencies,devDependencies}=read.value;return[dependencies,devDependencies].flatMap(names=>isRecord(names)?Object.keys(names):[])}
function formatPackageFile(dependencies){return`${JSON.stringify({private:true,type:`module`,dependencies},null,2)}\n`}
const SCRIPT_START=`\0framework:start`;
function createScriptModules(file){return toEntryModules({[ENTRY]:`import ${JSON.stringify(SCRIPT_START)};\nexport * from ${JSON.stringify(file)};\n`,[SCRIPT_START]:`import { beginScript } from ${quoteFile(`runtime/log`)};\nbeginScript();\n`,[SOURCE]:sourceThatThrows(`A built script holds no routes, so createApp() has nothing to serve.`)})}
const START=`\0framework:start`;
const PROJECT=`\0framework:project`;
const WIRE=`\0framework:wire`;
function createServerModules(root,project,docs){return toEntryModules({[ENTRY]:entrySource(requireMainFile(root)),[START]:startSource(),[PROJECT]:projectSource(root,project,docs),[WIRE]:wireSource(root,project),[SOURCE]:sourceThatThrows(`A built server holds one project: createApp() takes it.`)})}
function entrySource(mainFile){return[`import ${JSON.stringify(START)};`,`export * from ${JSON.stringify(mainFile)};`,`import { finishStart } from ${quoteFile(`runtime/built`)};`,`const started = finishStart();`,`function answer(request) { return started.fetch(request); }`,`export { answer as fetch };`,`export default started.served;`,``].join(`
`)}
function startSource(){return[`import { beginStart } from ${quoteFile(`runtime/built`)};`,`beginStart(async () => (await import(${JSON.stringify(PROJECT)})).project);`,``].join(`
`)}
function projectSource(root,project,docs){const{cors,routes,settings,unmatched}=project;const names=nameFunctions(project);const imports=projectModules(project).map(({file,functions})=>{return`import { ${functions.map(one=>`${formatExport(one.exported)} as ${names(one)}`).join(`, `)} } from ${JSON.stringify(join$1(root,file))};`});const constants=new Constants;const bound=routes.map(route=>boundSource(route,names,constants));const ofRoot=unmatched?[`unmatched: ${hooksSource([unmatched],names,constants)}`]:[];const shared=cors?[`cors: createCors(${JSON.stringify(cors)})`]:[];const members=[`settings: ${JSON.stringify(settings)}`,`routes: [\n  ${bound.join(`,
  `)},\n]`,...ofRoot,...shared,...docs?[`docs: createDocs(${JSON.stringify(docs)})`]:[]];return[...imports,...frameworkImports(project),...docs?[`import { createDocs } from ${quoteFile(`runtime/app`)};`]:[],...checksSource(root,project,names),...constants.lines,`export const project = { ${members.join(`, `)} };`,``].join(`
`)}
function checksSource(root,project,names){const shared=projectModules(project).flatMap(({functions})=>functions).filter(({role})=>role!==`handler`);const hooked=hooksFiles(project);if(shared.length===0&&hooked.length===0)return[];const read=`[${shared.map(names).join(`, `)}]`;const checks=[...shared.map(one=>checkSource(`typeof ${names(one)} === "function"`,diagnoseMissing(one))),...hooked.flatMap((file,index)=>HOOKS.map(name=>{const hook=`hooks${index}.${name}`;return checkSource(`typeof ${hook} !== "function" || read.includes(${hook})`,diagnoseUnread(name,file))}))];return[...hooked.map((file,index)=>`import * as hooks${index} from ${JSON.stringify(join$1(root,file))};`),`import { requireExports } from ${quoteFile(`runtime/built`)};`,`const read = ${read};`,`requireExports([\n  ${checks.join(`,
  `)},\n]);`]}
function checkSource(isRight,{message,hint}){return`[${isRight}, ${JSON.stringify(message)}, ${JSON.stringify(hint)}]`}
function nameFunctions(project){const names=new Map(project.routes.map((route,index)=>[keyOf$3(toExport(route)),`handler${index}`]));return one=>{const name=names.get(keyOf$3(one))??`shared${names.size}`;names.set(keyOf$3(one),name);return name}}
function toExport({module,handler}){return{module,exported:handler}}
function keyOf$3({module,exported}){return`${module}\n${exported}`}
var Constants=class{#names=new Map;name(stem,expression){const name=this.#names.get(expression)??`${stem}${this.#names.size}`;this.#names.set(expression,name);return name}get lines(){return[...this.#names].map(([expression,name])=>`const ${name} = ${expression};`)}};
function boundSource(typed,names,constants){const route=toRoute(typed);return`{ ${[`route: ${JSON.stringify(route)}`,`handler: ${names(toExport(route))}`,...hasInputs(typed)?[`serve: toServe(${serveSource(typed,names,constants)})`]:[],...typed.hooks.length>0?[`hooks: ${hooksSource(typed.hooks,names,constants)}`]:[]].join(`, `)} }`}
function serveSource(typed,names,constants){const{calls,provided}=typed;const inputs=`routeInputs[${JSON.stringify(inputsKey(typed))}]`;if(calls.length===0)return inputs;return`${inputs}, ${callsSource(calls,names,constants)}, ${JSON.stringify(provided)}`}
function callsSource(calls,names,constants){const bound=calls.map(call=>{const{kind,name,isEarly,provided,location}=call;const data=JSON.stringify({kind,name,isEarly,provided,location});return constants.name(`call`,`{ run: ${names(call)}, ${data.slice(1)}`)});return constants.name(`calls`,`[${bound.join(`, `)}]`)}
function hooksSource(hooks,names,constants){const folders=hooks.map(({folder,middleware,error})=>{return`{ ${[`folder: ${JSON.stringify(folder)}`,...middleware?[`middleware: ${names(middleware)}`]:[],...error?[`error: ${names(error)}`]:[]].join(`, `)} }`});return constants.name(`chain`,`chainHooks([${folders.join(`, `)}])`)}
function frameworkImports({cors,routes,unmatched}){const hooks=[...unmatched||routes.some(route=>route.hooks.length>0)?[`chainHooks`]:[],...cors?[`createCors`]:[]];const wire=[`import { toServe } from ${quoteFile(`runtime/wire`)};`,`import { routeInputs } from ${JSON.stringify(WIRE)};`];return[...routes.some(hasInputs)?wire:[],...hooks.length>0?[`import { ${hooks.join(`, `)} } from ${quoteFile(`runtime/hooks`)};`]:[]]}
function wireSource(root,{routes,definitions}){const specifiers={runtime:frameworkPath(`runtime/wire.js`),toSpecifier:file=>join$1(root,file)};return writeWireModule({routes,definitions},specifiers)??``}
async function buildProject(root,{external=[],minify=false}={}){const project=readProject(root);const refused=[...findBadPackageFile(root,PACKAGE_FILE),...project.diagnostics];if(hasErrors(refused))throw new ProjectError(root,refused);const diagnostics=[];const named=[...project.build?.external??[],...external.map(name=>({name}))];const ranges=findExternals(root,named,diagnostics);const options={minify,external:Object.keys(ranges)};const graph=createGraph(root);const entries=await listEntries(root,project);const outputs=[];for(const entry of entries)outputs.push(...await bundle(root,entry,options,graph,diagnostics));if(hasErrors(diagnostics))throw new ProjectError(root,tidy(diagnostics.filter(isError$1)));for(const{fileName,code,source}of outputs)replaceFile$1(root,join$1(dirname(BUILT_SERVER),fileName),code??source??``);const toInstall=options.external.length>0?[BUILT_PACKAGE]:[];for(const file of toInstall)replaceFile$1(root,file,formatPackageFile(ranges));if(toInstall.length===0)removeOld(root,BUILT_PACKAGE,[BUILT_PACKAGE]);if(!existsSync(join$1(root,`database/migrate.ts`)))removeOld(root,MIGRATE_FILE,[BUILT_MIGRATE,`${BUILT_MIGRATE}.map`]);const inputs=[...graph.files].filter(isInput).map(file=>toPath$1(root,file));writeBuildRecord(root,[...inputs,...project.files,...toInstall]);const[server=sizeOf(root,BUILT_SERVER),migrate]=entries.map(({file})=>sizeOf(root,file));return{server,migrate,routes:project.routes.length,external:options.external,warnings:tidy(diagnostics)}}
async function listEntries(root,project){const docs=project.settings.docs?await makeDocs(root):void 0;const server={file:BUILT_SERVER,modules:createServerModules(root,project,docs)};const migrate=join$1(root,MIGRATE_FILE);if(!existsSync(migrate))return[server];return[server,{file:BUILT_MIGRATE,modules:createScriptModules(migrate)}]}
function removeOld(root,file,made){if(!wasBuiltFrom(root,file))return;for(const old of made)rmSync(join$1(root,old),{force:true})}
function sizeOf(root,file){return{file,size:statSync(join$1(root,file)).size}}
function tidy(diagnostics){const keyOf=one=>one.code===`FW701`?one.hint:JSON.stringify(one);return sortDiagnostics([...new Map(diagnostics.map(one=>[keyOf(one),one])).values()])}
function replaceFile$1(root,file,text){const path=join$1(root,file);const fresh=`${path}.${process.pid}.new`;try{mkdirSync(dirname(path),{recursive:true});writeFileSync(fresh,text);renameSync(fresh,path)}catch(cause){if(existsSync(fresh))rmSync(fresh);throw new Problem(`${file} can't be written: ${explain(cause)}`,`Fix that, and build again.`,{cause})}}
function isInput(id){return existsSync(id)&&!id.includes(`${sep}node_modules${sep}`)}
const WIDTH=100;
const IDENTIFIER=/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
function formatKey(name){return IDENTIFIER.test(name)?name:formatJson(name)}
function formatBraces(members){if(members.length===0)return`{}`;const line=`{ ${members.map(({key,text})=>`${key}: ${text}`).join(`; `)} }`;return members.every(({comment})=>comment===void 0)&&isLine(line)?line:`{\n${formatMembers(members)}}`}
function formatMembers(members){return members.map(({key,text,comment=``})=>indent$1(`${formatComment(comment)}${key}:${text.startsWith(`
`)?``:` `}${text};\n`)).join(``)}
function formatUnion(members){const line=members.join(` | `);if(members.length<2||isLine(line))return line;return indent$1(`\n| ${members.map(text=>text.startsWith(`
`)?text.replace(/^ {2}/gm,``).slice(3):text).join(`
| `)}`)}
function describeNotes({description=``,default:value,example,deprecated}={}){return[description,value===void 0?``:`Default: ${JSON.stringify(value)}`,example===void 0?``:`@example ${JSON.stringify(example)}`,deprecated?`@deprecated`:``].filter(text=>text!==``).join(`

`)}
function formatComment(text){const safe=escapeLines(text.trim().replaceAll(`*/`,`*\\/`));if(safe===``)return``;const lines=safe.split(`
`).map(line=>line.trimEnd());if(lines.length===1)return`/** ${safe} */\n`;return`/**\n${lines.map(line=>line===``?` *
`:` * ${line}\n`).join(``)} */\n`}
function isLine(text){return text.length<=100&&!text.includes(`
`)}
function indent$1(text){return text.replace(/^(?=.)/gm,`  `)}
const KINDS=[`json`,`events`,`textEvents`,`anyEvents`,`text`,`stream`,`none`];
function writeAnswers(operation,types,definitions){const statuses=new Map;const others=[];const known=operation.answers.flatMap(({status})=>status==="default"?[]:[status]);for(const answer of operation.answers){const{status}=answer;const body=writeBodies(operation,answer,types,definitions);if(status==="default")others.push(`OtherAnswer<${known.join(` | `)||`never`}, ${body}>`);else{const key=`${status>=200&&status<=299} ${body}`;statuses.set(key,[...statuses.get(key)??[],status])}}const answers=[...statuses].map(([key,same])=>`Answer<${same.join(` | `)}, ${key.replace(/^\w+ /,``)}>`);return formatUnion([...answers,...others])}
function writeBodies(operation,answer,types,definitions){if(kindsOf(operation,answer,definitions).includes(`none`))return`undefined`;const all=answer.bodies.map(body=>{const kind=kindOf(body,definitions);if(kind===`stream`)return`ReadableStream<Uint8Array>`;const type=types.write(body.shape,`got`);return/events/i.test(kind)?`AsyncIterable<ServerEvent<${type}>>`:type});return formatUnion([...new Set(all)])}
function groupByKind(operation,definitions){const all=operation.answers.map(answer=>[answer.status,kindsOf(operation,answer,definitions)]);const groups=KINDS.map(kind=>{return[kind,all.flatMap(([status,kinds])=>kinds.includes(kind)?[status]:[])]});return new Map(groups.filter(([,statuses])=>statuses.length>0))}
const BODILESS=[204,205,304];
function kindsOf({method},{status,bodies},definitions){if(method===`HEAD`||BODILESS.includes(status)||bodies.length===0)return[`none`];return bodies.map(body=>kindOf(body,definitions))}
function kindOf({media,shape},definitions){if(/^application\/([^;]+\+)?json/i.test(media))return`json`;if(!/^text\//i.test(media))return`stream`;if(!/^text\/event-stream/i.test(media))return`text`;const areTexts=membersOf(shape,definitions).flatMap(member=>{if(member.kind===`unknown`||member.kind===`schema`)return[void 0];return member.kind===`literal`?member.values.map(isText):[member.kind===`string`]});if(areTexts.every(isOne=>isOne===true))return`textEvents`;return areTexts.every(isOne=>isOne===false)?`events`:`anyEvents`}
function isText(value){return typeof value===`string`}
function writeTransport(needs){const open=[];return TRANSPORT.split(`
`).filter(line=>{const[,names]=/^ *\/\/#if (.+)$/.exec(line)??[];if(names!==void 0)open.push(names.split(` `).some(name=>needs.has(name)));else if(/^ *\/\/#end$/.test(line))open.pop();else return open.every(isIn=>isIn);return false}).join(`
`)}
function wordsOfTransport(){return TRANSPORT.replace(/\/\*\*.*?\*\/|\/\/[^\n]*|"[^"\n]*"/gs,` `).match(/[A-Za-z_$][\w$]*/g)??[]}
const TRANSPORT=String.raw`/** What a route answers: the status tells the members of a union apart. */
export interface Answer<Status extends number, Body> {
  readonly status: Status;
  /** True for 200 to 299. */
  readonly ok: \`\${Status}\` extends \`2\${string}\` ? true : false;
  readonly body: Body;
  readonly headers: Headers;
  readonly response: Response;
}
//#if others

/** An answer with a status that the contract does not name: none of the known ones. */
export interface OtherAnswer<Known extends number, Body> {
  readonly status: Exclude<AnyStatus, Known>;
  readonly ok: boolean;
  readonly body: Body;
  readonly headers: Headers;
  readonly response: Response;
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type AnyStatus = ToNumber<\`\${2 | 3 | 4 | 5}\${Digit}\${Digit}\`>;
type ToNumber<Text> = Text extends \`\${infer Value extends number}\` ? Value : never;
//#end
//#if events

/** One event of a stream. */
export interface ServerEvent<Data> {
  /** The last id that has come. Send it as last-event-id to go on from there. */
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: Data;
}
//#end

/** A value, or a function that gives it for each request: a fresh token. */
export type Source<Value> = Value | (() => Value | PromiseLike<Value>);

/** What a single call may have besides its input. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** In place of others of the same names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly init?: FetchOptions | undefined;
}

/** What else fetch takes. With { credentials: "include" } a browser sends its cookies to another site, too. */
export type FetchOptions = Omit<RequestInit, "method" | "headers" | "body" | "signal">;

/** Thrown for an answer that the contract does not have: another status, or no JSON where there should be JSON. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  /** The value of its JSON, or its text. */
  readonly body: unknown;
  /** Private, because whoever prints the error would print all of it. */
  readonly #response: Response;

  constructor(message: string, response: Response, text: string) {
    super(message);
    this.name = "UnexpectedAnswer";
    this.status = response.status;
    this.body = parseJson(text, text);
    this.#response = response;
  }

  get response(): Response {
    return this.#response;
  }
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly takes?: "json" | "form" | "multipart";
  readonly bearer?: true;
  readonly basic?: true;
  readonly keys?: readonly string[];
  readonly redirect?: "manual";
  /** The statuses of its answers, by what their bodies are. */
  readonly answers: { readonly [kind in Kind]?: readonly (number | "default")[] };
}

type Kind = "json" | "events" | "textEvents" | "anyEvents" | "text" | "stream" | "none";

interface Input {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly cookies?: object;
  readonly body?: unknown;
}

async function send(
  route: Route,
  options: ClientOptions,
  input: Input = {},
  { signal, headers = {}, init }: CallOptions = {},
): Promise<object> {
  const request: RequestInit = {
    ...(route.redirect && { redirect: route.redirect }),
    ...options.init,
    ...init,
    ...(signal && { signal }),
    method: route.method,
    headers: await toHeaders(route, options, input, headers),
    ...toBody(route, input.body),
  };
  const response = await (options.fetch ?? fetch)(toUrl(route, options.baseUrl ?? SERVER, input), request);
  const body = await readBody(route, response);
  return { status: response.status, ok: response.ok, body, headers: response.headers, response };
}

function toUrl(route: Route, baseUrl: string | URL, { path = {}, query = {} }: Input): string {
  const values = new Map(toTexts(path));
  const place = route.path.replace(/\{(.+?)\}/g, (_, name: string) => toSegment(name, values.get(name)));
  const search = new URLSearchParams(toTexts(query)).toString();
  return String(baseUrl).replace(/\/+$/, "") + place + (search && "?" + search);
}

/** A URL has no empty segment, and drops those of dots. */
function toSegment(name: string, value = ""): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(name + " can't be " + JSON.stringify(value) + " in a path");
  return encodeURIComponent(value);
}

/** Each value that is there, with its name; those of an array one by one. */
function toValues(given: object): [string, unknown][] {
  const all = Object.entries(given).flatMap(([name, value]: [string, unknown]): [string, unknown][] =>
    Array.isArray(value) ? value.map((one: unknown) => [name, one]) : [[name, value]],
  );
  return all.filter(([, value]) => value !== undefined && value !== null);
}

function toTexts(given: object): [string, string][] {
  const toText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
  return toValues(given).map(([name, value]) => [name, toText(value)]);
}

/** Of two headers with one name, the call's own counts, then the input's, then a credential, then the client's. */
async function toHeaders(
  route: Route,
  options: ClientOptions,
  input: Input,
  own: Readonly<Record<string, string>>,
): Promise<Headers> {
  const headers = new Headers(own);
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && !headers.has(name)) headers.set(name, value);
  };
  for (const [name, values] of Object.entries(input.headers ?? {})) {
    const texts = toTexts({ values }).map(([, text]) => text);
    if (texts.length > 0) add(name, texts.join(", "));
  }
  //#if cookies
  const cookies = toTexts(input.cookies ?? {}).map(([name, text]) => name + "=" + encodeURIComponent(text));
  if (cookies.length > 0) add("cookie", cookies.join("; "));
  //#end
  //#if bearer
  const token = route.bearer && (await read(options.bearer));
  if (token) add("authorization", "Bearer " + token);
  //#end
  //#if basic
  const user = route.basic && (await read(options.basic));
  if (user) add("authorization", "Basic " + toBase64(user.username + ":" + user.password));
  //#end
  //#if keys
  const keys: { readonly [name: string]: Source<string | undefined> } = options.apiKeys ?? {};
  for (const name of route.keys ?? []) add(name, await read(keys[name]));
  //#end
  if (route.takes === "json" && input.body !== undefined) add("content-type", "application/json");
  for (const [name, value] of Object.entries((await read(options.headers)) ?? {})) add(name, value);
  return headers;
}

function read<Value>(source: Source<Value>): Value | PromiseLike<Value> {
  return source instanceof Function ? source() : source;
}
//#if basic

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
//#end

function toBody(route: Route, body: unknown): { body?: string | URLSearchParams | FormData } {
  if (route.takes === undefined || body === undefined) return {};
  //#if form
  if (route.takes !== "json") return { body: toForm(route, body as object) };
  //#end
  return { body: JSON.stringify(body) };
}
//#if form

/** Fetch sets the content type of either. */
function toForm(route: Route, fields: object): URLSearchParams | FormData {
  if (fields instanceof FormData) return fields;
  if (route.takes === "form") return new URLSearchParams(toTexts(fields));
  const form = new FormData();
  for (const [name, value] of toValues(fields)) {
    if (value instanceof Blob) form.append(name, value, (value as { readonly name?: string }).name || "blob");
    else for (const [, text] of toTexts({ value })) form.append(name, text);
  }
  return form;
}
//#end

async function readBody(route: Route, response: Response): Promise<unknown> {
  const kind = findKind(route, response);
  if (kind === "stream") return response.body ?? new Blob([]).stream();
  if (kind === "none") return void (await response.body?.cancel());
  //#if events
  if (kind === "events" || kind === "textEvents" || kind === "anyEvents") return readEvents(route, response, kind);
  //#end
  const text = await response.text();
  if (kind === "text") return text;
  const value = parseJson(text, NOT_JSON);
  if (kind === "json" && value !== NOT_JSON) return value;
  const why = kind === "json" ? " without JSON" : ", which its contract does not have";
  throw new UnexpectedAnswer(route.method + " " + route.path + " answered " + response.status + why, response, text);
}

const NOT_JSON: unique symbol = Symbol();

function parseJson(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function findKind({ answers }: Route, response: Response): Kind | undefined {
  const all = Object.entries(answers) as [Kind, readonly (number | "default")[]][];
  const known = all.filter(([, statuses]) => statuses.includes(response.status));
  const others = all.filter(([, statuses]) => statuses.includes("default"));
  const kinds = (known.length > 0 ? known : others).map(([kind]) => kind);
  //#if kinds
  const type = response.headers.get("content-type") ?? "";
  if (kinds.length > 1) return kinds.find((kind) => TYPES[kind].test(type));
  //#end
  return kinds[0];
}
//#if kinds

/** The content types by which one of several kinds is chosen, in the order in which routes list them. */
const TYPES: Readonly<Record<Kind, RegExp>> = {
  json: /^application\/([^;]+\+)?json/i,
  events: /^text\/event-stream/i,
  textEvents: /^text\/event-stream/i,
  anyEvents: /^text\/event-stream/i,
  text: /^text\//i,
  stream: /(?:)/,
  none: /(?:)/,
};
//#end
//#if events

/** The body ends when nobody reads on: after a break in a loop over it. */
async function* readEvents(route: Route, response: Response, kind: Kind): AsyncGenerator<ServerEvent<unknown>> {
  let id: string | undefined;
  let event: string | undefined;
  let data: string | undefined;
  for await (const line of readLines(response)) {
    if (line === "") {
      if (data !== undefined) yield { id, event: event || undefined, data: toData(data) };
      event = data = undefined;
      continue;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") data = data === undefined ? value : data + "\n" + value;
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value;
  }

  function toData(text: string): unknown {
    if (kind === "textEvents") return text;
    const value = parseJson(text, NOT_JSON);
    if (value !== NOT_JSON) return value;
    if (kind === "anyEvents") return text;
    throw new UnexpectedAnswer(route.method + " " + route.path + " sent an event without JSON", response, text);
  }
}

/** Lines end with CR, LF, or both. What does not end is left out. */
async function* readLines({ body }: Response): AsyncGenerator<string> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let wasReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const lines = (rest + (wasReturn ? text.replace(/^\n/, "") : text)).split(/\r\n|\r|\n/);
      if (text !== "") wasReturn = text.endsWith("\r");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
//#end
`.replaceAll("\\`","`").replaceAll("\\${","${");
const OWN=[`AnswerOf`,`Client`,`ClientOptions`,`Error`,`InputOf`,`NoInput`,`ROUTES`,`createClient`];
const PLATFORM=`AsyncIterable Awaited NonNullable Parameters ReadableStream ReturnType Uint8Array`;
const KEYWORDS=`any as async await bigint boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for function globalThis if implements import in infer instanceof interface intrinsic is keyof let never new null number object package private protected public readonly return static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield`;
function nameTypes(definitions,dated){const taken=new Set([...OWN,...PLATFORM.split(` `),...KEYWORDS.split(` `),...wordsOfTransport()]);const names=createNameGiver();const claim=(definition,isSent)=>{const wanted=toIdentifier(definition)+(isSent?`Input`:``);return names.claim(`${isSent} ${definition}`,taken.has(wanted)?`Api${capitalize(wanted)}`:wanted)};for(const definition of Object.keys(definitions).sort())claim(definition,false);for(const definition of[...dated].sort())claim(definition,true);return claim}
function toIdentifier(definition){const[first=``,...others]=definition.match(/[\p{ID_Continue}$]+/gu)??[];const name=first+others.map(capitalize).join(``);return/^[\p{ID_Start}$_]/u.test(name)?name:`Type${name}`}
function capitalize(word){return word.slice(0,1).toUpperCase()+word.slice(1)}
function createTypes({definitions,notes}){const dated=findDated(definitions);const names=nameTypes(definitions,dated);const reached=new Map;const write=(shape,way)=>writeType(shape,name=>{const declared=names(name,way===`sent`&&dated.has(name));reached.set(declared,{name,way});return declared},way);return{write,declarations(){const texts=new Map;for(const[declared,{name,way}]of reached){const shape=findDefinition(name,definitions);const comment=formatComment(describeNotes(notes[name]));texts.set(declared,`\n${comment}export ${declare(declared,shape,inner=>write(inner,way))}\n`)}return[...texts].sort(([one],[other])=>compareText$1(one,other)).map(([,text])=>text).join(``)}}}
function findDated(definitions){const dated=Object.entries(definitions).filter(([,shape])=>hasDate(shape));return withUsers(dated.map(([name])=>name),definitions)}
function hasDate(shape){return shape.kind===`date`||innerShapesOf(shape).some(hasDate)}
function declare(name,shape,write){const members=shape.kind===`object`?toMembers(shape,write):[];if(members.length>0)return`interface ${name} {\n${formatMembers(members)}}`;return`type ${name} = ${write(shape)};`}
function writeType(shape,refer,way){const inner=one=>writeType(one,refer,way);switch(shape.kind){case`schema`:return`unknown`;case`file`:return`Blob`;case`date`:return way===`sent`?`string | Date`:`string`;case`string`:return writeString(shape);case`literal`:return formatUnion(shape.values.map(value=>formatJson(value)));case`array`:return`${group(shape.items,inner)}[]`;case`tuple`:return writeTuple(shape,inner);case`object`:return writeObject(shape,inner);case`union`:return formatUnion([...new Set(shape.of.map(inner))]);case`reference`:return refer(shape.name);default:return shape.kind}}
function writeString({patterns=[]}){const[template,other]=patterns.map(pattern=>pattern.template);const isPlain=/^(?:[\w /:.#@%+*,;=!?()[\]<>~^&-]|\$\{(?:string|number|int)\})+$/.test(template??``);if(template===void 0||other!==void 0||!isPlain)return`string`;return`\`${template.replaceAll(`{int}`,`{number}`)}\``}
function writeTuple({items,required,rest},write){return`[${[...items.map((item,at)=>at<required?write(item):`${group(item,write)}?`),...rest?[`...${group(rest,write)}[]`]:[]].join(`, `)}]`}
function group(shape,write){const text=write(shape);return[`union`,`literal`,`date`].includes(shape.kind)&&text.includes(`| `)?`(${text})`:text}
function writeObject(shape,write){const members=toMembers(shape,write);return members.length===0?`Record<string, unknown>`:formatBraces(members)}
function toMembers({properties,others},write){const members=properties.map(({name,shape,optional,notes})=>({key:`${formatKey(name)}${optional?`?`:``}`,text:write(shape),...notes&&{comment:describeNotes(notes)}}));return others===void 0?members:[...members,toIndex(members,write(others))]}
function toIndex(members,others){const isOptional=members.some(({key})=>key.endsWith(`?`));const all=new Set([others,...members.map(({text})=>text),...isOptional?[`undefined`]:[]]);return{key:`[key: string]`,text:all.has(`unknown`)?`unknown`:formatUnion([...all])}}
const PLACES={path:`path`,query:`query`,headers:`header`,cookies:`cookie`};
function writeInput({inputs},types,find){const members=[...Object.entries(PLACES).flatMap(([key,place])=>{return toPart(key,inputs.filter(input=>input.in===place),types,find)}),...inputs.filter(isBody).map(input=>toBody(input,types))];if(members.length===0)return`input?: NoInput`;return`input${members.every(({key})=>key.endsWith(`?`))?`?`:``}: ${formatBraces(members)}`}
function bodyKind({inputs},find){const body=inputs.find(isBody);if(body?.in!==`form`)return body&&`json`;return hasFile(body.shape,find)?`multipart`:`form`}
function toBody({in:place,required,shape},types){const type=types.write(shape,`sent`);return optionalMark(`body`,required,place===`form`?`${type} | FormData`:type)}
function toPart(key,inputs,types,find){if(inputs.length===0)return[];const named=inputs.filter(({isRest})=>!isRest).map(input=>toMember(input,types));const[rest]=inputs.filter(({isRest})=>isRest);const isWhole=rest!==void 0&&objectsOf(rest.shape,find).length>0;const members=rest&&!isWhole?[...named,toIndex(named,types.write(rest.shape,`sent`))]:named;const texts=[...members.length>0?[formatBraces(members)]:[],...isWhole?[`(${types.write(rest.shape,`sent`)})`]:[]];return[optionalMark(key,inputs.some(isRequired),texts.join(` & `))]}
function isRequired({in:place,required}){return required&&place!==`cookie`}
function toMember(input,types){const{name,shape}=input;const member=optionalMark(formatKey(name),isRequired(input),`${shape.kind===`array`?`readonly `:``}${types.write(shape,`sent`)}`);const comment=describeNotes(input);return comment===``?member:{...member,comment}}
function optionalMark(name,required,text){return required?{key:name,text}:{key:`${name}?`,text:`${text} | undefined`}}
function writeOptions({operations,about}){const credentials=operations.flatMap(operation=>operation.credentials);const keys=new Set(credentials.flatMap(({header})=>header??[]));const[server]=about.servers;const has=kind=>credentials.some(one=>one.kind===kind);const members=[{key:`readonly baseUrl${server===void 0?``:`?`}`,text:server===void 0?`string | URL`:`string | URL | undefined`,comment:server===void 0?`Where the API is, as in "https://api.example".`:`Default: ${server}`},{...optional(`fetch`,`((url: string, init: RequestInit) => Promise<Response>)`),comment:`Called in place of the global fetch.`},{...optional(`headers`,`Source<Readonly<Record<string, string>>>`),comment:`Of each request.`},optional(`init`,`FetchOptions`),...has(`bearer`)?[optional(`bearer`,`Source<string | undefined>`)]:[],...has(`basic`)?[optional(`basic`,`Source<${USER} | undefined>`)]:[],...keys.size>0?[optional(`apiKeys`,formatBraces([...keys].sort().map(toKey)))]:[]];return`export interface ClientOptions {\n${formatMembers(members)}}`}
const USER=`{ readonly username: string; readonly password: string }`;
function toKey(header){return optional(formatKey(header),`Source<string | undefined>`)}
function optional(name,type){return{key:`readonly ${name}?`,text:`${type} | undefined`}}
function writeCreate({about:{servers}}){const[server]=servers;return`const SERVER: string = ${formatJson(server??``)};

export function createClient(options: ClientOptions${server===void 0?``:` = {}`}): Client {
  const functions = Object.entries<Route>(ROUTES).map(([name, route]) => {
    const call = (input?: Input, more?: CallOptions): Promise<object> => send(route, options, input, more);
    return [name, call] as const;
  });
  return Object.fromEntries(functions) as unknown as Client;
}
`}
const REDIRECTS=[301,302,303,307,308];
function writeRow(operation,definitions,find){const{id,method,segments,credentials,answers}=operation;const words=segments.map(one=>typeof one===`string`?encodeURIComponent(one):`{${one.name}}`);const takes=bodyKind(operation,find);const has=kind=>credentials.some(one=>one.kind===kind);const keys=credentials.flatMap(({header})=>header??[]);const statuses=[...groupByKind(operation,definitions)].map(([kind,all])=>`${kind}: ${toList(all)}`);return`  ${id}: { ${[`method: "${method}"`,`path: ${formatJson(`/${words.join(`/`)}`)}`,takes&&`takes: "${takes}"`,has(`bearer`)&&`bearer: true`,has(`basic`)&&`basic: true`,keys.length>0&&`keys: ${toList(keys)}`,answers.some(({status})=>REDIRECTS.includes(status))&&`redirect: "manual"`,`answers: { ${statuses.join(`, `)} }`].filter(part=>part).join(`, `)} },\n`}
function toList(values){return`[${values.map(value=>formatJson(value)).join(`, `)}]`}
const CLIENT_MARK="// Generated by `framework client` from the sources of the API. Do not edit it.";
const HEAD=`${CLIENT_MARK}
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`;
function writeClient(contract){const{operations,definitions,about}=contract;const find=name=>findDefinition(name,definitions);const types=createTypes(contract);const methods=operations.map(operation=>writeMethod(operation,types,contract,find));const rows=operations.map(operation=>writeRow(operation,definitions,find));const hasNone=methods.some(method=>method.includes(`input?: NoInput`));return[HEAD,`\n${formatComment([`${about.title} ${about.version}`,about.description??``].join(`

`))}`,`export interface Client {\n${methods.join(`
`)}}\n`,`\n${writeOptions(contract)}\n`,`\n${writeCreate(contract)}`,PARTS,hasNone?`
/** Of a route that takes nothing. */
export type NoInput = Record<string, never>;
`:``,types.declarations(),`\nconst ROUTES: Readonly<Record<keyof Client, Route>> = {\n${rows.join(``)}};\n`,`\n${writeTransport(findNeeds(contract))}`].join(``)}
const PARTS=`
/** What a function takes, as in \`InputOf<"getRoot">\`. */
export type InputOf<Name extends keyof Client> = NonNullable<Parameters<Client[Name]>[0]>;

/** What a function answers. */
export type AnswerOf<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>;
`;
function writeMethod(operation,types,{definitions},find){const{id,method,pattern,summary=``,description=``,deprecated}=operation;const prose=[summary,description,`\`${method} ${pattern}\``,deprecated?`@deprecated`:``];const comment=formatComment(prose.filter(text=>text!==``).join(`

`));const[input,more]=[writeInput(operation,types,find),`options?: CallOptions`];const answers=writeAnswers(operation,types,definitions);const result=`Promise<${answers}${answers.includes(`
`)?`
`:``}>;\n`;const[line=``]=`${id}(${input}, ${more}): ${result}`.split(`
`,1);const parameters=input.includes(`
`)||line.length>100?`\n${indent$1(`${input},\n${more},\n`)}`:`${input}, ${more}`;return indent$1(`${comment}${id}(${parameters}): ${result}`)}
function findNeeds({operations,definitions}){const needs=new Set;for(const operation of operations){const{inputs,credentials,answers}=operation;for(const{kind}of credentials)needs.add(kind===`api-key`?`keys`:kind);if(inputs.some(input=>input.in===`cookie`))needs.add(`cookies`);if(inputs.some(input=>input.in===`form`))needs.add(`form`);if(answers.some(({status})=>status==="default"))needs.add(`others`);const groups=groupByKind(operation,definitions);if([...groups.keys()].some(kind=>/events/i.test(kind)))needs.add(`events`);const statuses=[...groups.values()].flat();if(new Set(statuses).size<statuses.length)needs.add(`kinds`)}return needs}
const LIMIT_MS=3e4;
function schemasOf({operations,definitions}){const placed=[...operations.flatMap(({inputs})=>inputs.flatMap(({shape,location})=>schemasIn(shape,location))),...operations.flatMap(({answers})=>answers.flatMap(({bodies,location})=>bodies.flatMap(({shape})=>schemasIn(shape,location)))),...Object.values(definitions).flatMap(shape=>schemasIn(shape))];return[...new Map(placed.toReversed().map(one=>[keyOf$2(one.shape),one])).values()].toReversed()}
function schemasIn(shape,location){if(shape.kind!==`schema`)return innerShapesOf(shape).flatMap(inner=>schemasIn(inner,location));return[{shape,location:location??startOf(shape.file)}]}
function noteSchemas(placed){return placed.map(({shape:{file,exported},location})=>diagnose(`FW931`,{name:exported,file},location))}
async function loadSchemas(root,placed){const shapes=placed.map(({shape})=>shape);const answers=placed.length===0?[]:await ask({root,shapes});const found=new Map;return{find:shape=>found.get(keyOf$2(shape)),diagnostics:placed.flatMap(({shape,location},at)=>{const answer=answers[at]??{why:`its process ended`};if(`schema`in answer)found.set(keyOf$2(shape),answer.schema);if(`schema`in answer)return[];const{file,exported}=shape;return[diagnose(`FW932`,{name:exported,file,why:answer.why},location)]})}}
function keyOf$2({file,exported}){return`${file}#${exported}`}
function ask(asked){const child=fork(frameworkPath(`tools/schemas.js`),{cwd:asked.root,execArgv:[],stdio:[`ignore`,2,2,`ipc`]});return new Promise((resolve,reject)=>{const timer=setTimeout(()=>child.kill(`SIGKILL`),LIMIT_MS);child.on(`error`,reject);child.on(`message`,answers=>resolve(answers));child.on(`close`,()=>{clearTimeout(timer);resolve([])});child.send(asked)})}
const NOTE_OPTIONS={"no-infer":{type:`boolean`,description:`Leave out the results that only tsc knows. It is faster.`},notes:{type:`boolean`,description:`Show on stderr what is not known, and where.`}};
function printNotes(root,notes,what,{options,terminal}){if(notes.length===0)return;const{color,printError}=terminal;if(options.notes===true)printError(`${new ProjectError(root,notes).format(color)}\n`);else printError(`${count(notes.length,`note`)} on what ${what} leaves open. --notes shows them.`)}
function writeText(folder,file,text){const path=resolve$1(folder,file);try{const found=statSync(path,{throwIfNoEntry:false});if(found===void 0)replaceFile(path,text);else if(!found.isFile())writeFileSync(path,text);else if(readFileSync(path,`utf8`)===text)return false;else replaceFile(realpathSync(path),text);return true}catch(error){if(isMissing(error))throw new Problem(`${file} can't be written: there is no such folder.`);throw new Problem(`${file} can't be written: ${explainSystemError(error)}.`)}}
function replaceFile(path,text){const fresh=`${path}.${process.pid}.tmp`;try{writeFileSync(fresh,text,{flag:`wx`});renameSync(fresh,path)}finally{rmSync(fresh,{force:true})}}
function compareText(folder,file,text){const found=readText(folder,file);if(found===void 0)return`missing`;const[lines,wanted]=[found.replaceAll(`\r
`,`
`).split(`
`),text.split(`
`)];const at=wanted.findIndex((line,index)=>line!==lines[index]);if(at===-1)return lines.length===wanted.length?void 0:wanted.length;return at+1}
function readText(folder,file){try{return readFileSync(resolve$1(folder,file),`utf8`)}catch(error){if(isMissing(error))return void 0;throw new Problem(`${file} can't be read: ${explainSystemError(error)}.`)}}
function targetOptions(what){return{output:{type:`string`,short:`o`,value:`<file>`,description:`Write ${what} to a file, whole or not at all.`},check:{type:`string`,value:`<file>`,description:`Compare a file with ${what}, and exit with 1 if it differs: for CI.`}}}
function chooseTarget({options:{output,check}}){if(typeof output===`string`&&typeof check===`string`)throw new UsageError(`--output writes a file, and --check compares one.`,`Choose one of them.`);if(typeof output===`string`)return{file:output,isChecked:false};return typeof check===`string`?{file:check,isChecked:true}:void 0}
function deliver({text,routes},target,command,input){if(target?.isChecked)return checkFile(input,target.file,text,command);input.terminal.print(target?writeTarget(input,target.file,text,routes):text.trimEnd());return 0}
function writeTarget({cwd},file,text,routes){return`${file}: ${count(routes,`route`)}${writeText(cwd,file,text)?``:`, unchanged`}`}
function checkFile({cwd,terminal},file,text,command){const line=compareText(cwd,file,text);if(line===void 0)return 0;const message=line===`missing`?`There is no ${file}.`:`${file} is not what the routes say: line ${line} differs.`;terminal.printError(formatProblem(message,`Write it with: npx ${command} --output ${file}`,terminal.color));return 1}
const client={usage:`framework client [options]`,summary:`Print a client: one TypeScript file with a typed function for each route.`,details:"The file imports nothing and runs in browsers, Node, Bun and Deno. docs/client.md shows how to use it.\nIt reads the source and runs nothing of the project. The same sources give the same file, byte for byte.\nWhere a result has no written type, the project's own tsc infers it.\nWith `client` below [contract] in framework.toml, `framework dev` keeps that file current.",options:{...targetOptions(`the client`),watch:{type:`boolean`,description:`With --output: write the file again when the project changes.`},force:{type:`boolean`,description:`With --output: replace a file that this command did not write.`},...NOTE_OPTIONS},examples:[`framework client --output ../web/src/api.ts`,`framework client --output ../web/src/api.ts --watch`,`framework client --check ../web/src/api.ts`],async run(input){const root=requireProjectRoot(input);const target=chooseTarget(input);const isWritten=target!==void 0&&!target.isChecked;if(isWritten)requireClient(input,target.file);if(input.options.watch===true){if(isWritten)return watch(root,target.file,input);throw new UsageError(`--watch needs a file to write.`,`Name it with --output <file>.`)}const made=await makeClient(root,input);printNotes(root,made.notes,`the client`,input);return deliver(made,target,`framework client`,input)}};
async function makeClient(root,{options}){const{contract}=await loadContract(root,{infer:options[`no-infer`]!==true});const notes=[...contract.diagnostics,...noteSchemas(schemasOf(contract))];return{text:writeClient(contract),routes:contract.operations.length,notes}}
function requireClient({cwd,options},file){const text=options.force===true?void 0:readText(cwd,file);if(text===void 0||text===``||text.startsWith("// Generated by `framework client` from the sources of the API. Do not edit it."))return;throw new Problem(`${file} is not a client that this command has written.`,`Choose another file, or replace it with --force.`)}
async function watch(root,file,input){const{terminal}=input;const{holdSignals}=await import("./dev.js").then((module)=>({holdSignals:module.holdSignals}));const{watchProject}=await import("./dev.js").then((module)=>({watchProject:module.watchProject}));const bindSignals=holdSignals();let[isBusy,mustUpdate]=[false,false];const watcher=watchProject(root,{onNotice:()=>void 0,onChange:()=>void updateAll(),onBlind:(folder,{message})=>terminal.printError(`The folder ${folder} can't be watched for changes: ${message}`)});await updateAll();terminal.print(`Watching for changes. Press Ctrl-C to stop.`);return new Promise(resolve=>bindSignals(()=>{watcher.close();resolve(0)}));async function updateAll(){mustUpdate=true;if(isBusy)return;isBusy=true;while(mustUpdate){mustUpdate=false;await tryToUpdate()}isBusy=false}async function tryToUpdate(){try{const{text,routes}=await makeClient(root,input);terminal.print(writeTarget(input,file,text,routes))}catch(error){await report$1(error,terminal);terminal.printError(`${file} stays as it is.`)}}}
function noteDocument({operations,diagnostics}){const notes=toPaths(operations).flatMap(path=>path.hidden).map(({operation,by})=>diagnose(`FW930`,{hidden:nameOf(operation),shown:nameOf(by)},operation.location,by.location));const headers=operations.flatMap(operation=>operation.inputs.flatMap(({in:place,name,location})=>place===`header`&&name===`authorization`?[diagnose(`FW933`,{route:nameOf(operation)},location)]:[]));return sortDiagnostics([...diagnostics,...notes,...headers])}
function nameOf({method,pattern}){return`${method} ${pattern}`}
const openapi={usage:`framework openapi [options]`,summary:`Print an OpenAPI 3.1 document of what the routes take and what they answer.`,details:`It reads the source. Only --load-schemas runs any of it, in a process of its own. The same sources give the same document, byte for
byte. Where a result has no written type, the project's own tsc infers it. What is not known is {}, which any value fits.
Where OpenAPI can't tell two routes of one method apart, the document has the one that matches first.
Notes go to stderr. With an error in the project, or a --check that finds a difference, the exit status is 1.`,options:{yaml:{type:`boolean`,description:`Print YAML. A file whose name ends with .yaml or .yml is YAML, too.`},...targetOptions(`the document`),"load-schemas":{type:`boolean`,description:`Run the files that export Standard Schemas, such as zod's, and ask these for their JSON Schemas.`},...NOTE_OPTIONS},examples:[`framework openapi --output openapi.json`,`framework openapi --yaml --notes`,`framework openapi --check openapi.json`],async run(input){const{options}=input;const root=requireProjectRoot(input);const target=chooseTarget(input);const{contract}=await loadContract(root,{infer:options[`no-infer`]!==true});const format=isYaml(input,target)?formatYaml:formatJsonDocument;const placed=schemasOf(contract);const schemas=options[`load-schemas`]===true?await loadSchemas(root,placed):void 0;const text=format(toOpenApi(contract,schemas?.find));const notes=[...noteDocument(contract),...schemas?.diagnostics??noteSchemas(placed)];printNotes(root,notes,`the document`,input);return deliver({text,routes:contract.operations.length},target,`framework openapi`,input)}};
function isYaml({options},target){return options.yaml===true||target!==void 0&&/\.ya?ml$/i.test(target.file)}
function nameSubject(where,path){const whole=where.side===`request`?nameInput(where):nameAnswer(where);return path.length===0?whole:`\`${formatPath(path)}\` in ${whole}`}
function nameInput({in:place,name=``}){if(place===`body`||place===`form`)return`the ${place}`;if(name===``)return place===`query`?`the query`:`the other ${place}s`;return`${{path:`path parameter`,query:`query parameter`,header:`header`,cookie:`cookie`}[place]} \`${name}\``}
function nameAnswer({status,media}){const kind=media===void 0||media===`application/json`||media===`*/*`?``:` (${media})`;return`${status==="default"?`the answer`:`the ${status} answer`}${kind}`}
function formatPath(path){return path.map(key=>key===`*`?`[]`:/^\d+$/.test(key)?`[${key}]`:`.${key}`).join(``).replace(/^\./,``)}
function describeChange(change,where){const{kind,path}=change;return capitalizeFirst(`${phrase(change,nameSubject(where,kind===`other-keys-added`||kind===`other-keys-removed`?path.slice(0,-1):path),where.side===`request`)}.`)}
function capitalizeFirst(text){return text.slice(0,1).toUpperCase()+text.slice(1)}
function phrase({kind,from,to},subject,isRequest){switch(kind){case`required-property-added`:return isRequest?`${subject} is new and required`:`${subject} is new`;case`optional-property-added`:return`${subject} is new and optional`;case`required-property-removed`:return isRequest?`${subject} is ignored now`:`${subject} is gone`;case`optional-property-removed`:return isRequest?`${subject} is ignored now`:`${subject}, which was optional, is gone`;case`became-required`:return isRequest?`${subject} is required now`:`${subject} is always there now`;case`became-optional`:return isRequest?`${subject} is optional now`:`${subject} may be missing now`;case`became-nullable`:return`${subject} may be null now`;case`became-not-nullable`:return`${subject} may no longer be null`;case`list-of-types-widened`:case`one-of-added`:case`enum-value-added`:return`${subject} may be \`${to}\` now, too`;case`list-of-types-narrowed`:case`one-of-removed`:case`enum-value-removed`:return`${subject} may no longer be \`${from}\``;case`other-keys-added`:return`other keys of ${subject} are new, each \`${to}\``;case`other-keys-removed`:return`other keys of ${subject} are ${isRequest?`ignored now`:`gone`}`;case`type-became-known`:return isRequest?`${subject} was any JSON, and is \`${to}\` now`:`${subject} is \`${to}\` now; the source did not say what it was`;case`type-became-unknown`:return isRequest?`${subject} was \`${from}\`, and is any JSON now`:`${subject} was \`${from}\`; the source no longer says what it is`;case`schema-changed`:return from===to?`${subject} is checked by \`${to}\`, whose source has changed; compare it by hand`:`${subject} changed from \`${from}\` to \`${to}\`; compare by hand what each takes`;case`component-renamed`:return`the type of ${subject} is called \`${to}\` now, and was \`${from}\``;case`pattern-added`:return`${subject} has to match \`${to}\` now`;case`pattern-removed`:return`${subject} no longer has to match \`${from}\``;case`pattern-changed`:return`The pattern of ${subject} changed from \`${from}\` to \`${to}\``;case`type-changed`:case`type-generalized`:case`type-specialized`:case`const-added`:case`const-removed`:case`const-changed`:case`became-enum`:return`${subject} changed from \`${from}\` to \`${to}\``;default:return phraseLimit(subject,from,to)}}
function phraseLimit(subject,from,to){if(from===void 0)return`${subject} is limited to ${to} now`;if(to===void 0)return`${subject} is no longer limited to ${from}`;return`the limit of ${subject} changed from ${from} to ${to}`}
function compareAnswers(before,after,note){const[known,found]=[byStatus(before),byStatus(after)];compareOpenness(known,found,note);for(const[status,was]of known){const is=found.get(status);if(is)compareAnswer(was,is,note);else if(status!=="default")noteGoneAnswer(was,found.has(`default`),note)}for(const[status,is]of found)if(!known.has(status)&&status!=="default")noteNew(is,known.has(`default`),note)}
function byStatus({answers}){return new Map(answers.map(one=>[one.status,one]))}
function compareOpenness(known,found,note){const[was,is]=[known.get(`default`),found.get(`default`)];const where={side:`response`,status:`default`,pointer:``};if(was&&!is)note(`risky`,`response-status-became-known`,where,`The source says now with which statuses the route answers; it did not before.`,{before:was.location});if(is&&!was)note(`risky`,`response-status-became-unknown`,where,`The source no longer says with which statuses the route answers.`,{after:is.location})}
function isSuccess(status){return typeof status===`number`&&status>=200&&status<300}
function noteGoneAnswer(was,isOpen,note){const{status,location}=was;const where={side:`response`,status,pointer:``};const kind=isSuccess(status)?`success`:`non-success`;note(!isSuccess(status)?`other`:isOpen?`risky`:`breaking`,`response-${kind}-status-removed`,where,`The route no longer answers ${status}.`,{before:location})}
function noteNew(is,wasOpen,note){const{status,location,description}=is;const where={side:`response`,status,pointer:``};const kind=isSuccess(status)?`success`:`non-success`;const why=description===void 0?``:`: ${description}`;const message=wasOpen?`The route answers ${status}${why}`:`The route may answer ${status} now${why}`;note(`other`,`response-${kind}-status-added`,where,message.replace(/\.?$/,`.`),{after:location})}
function compareAnswer(was,is,note){compareHeaders(was,is,note);const places={before:was.location,after:is.location};const where={side:`response`,status:is.status,pointer:``};const left=new Map(is.bodies.map(body=>[body.media,body]));const gone=[];for(const body of was.bodies){const now=left.get(body.media);left.delete(body.media);if(now)note.shapes(body.shape,now.shape,{...where,media:now.media},places,false);else gone.push(body)}const subject=capitalizeFirst(nameAnswer(where));if([...gone,...left.values()].some(({media})=>media===`*/*`))noteUnknownMedia(gone,where,note,places);else{for(const{media}of gone)note(`breaking`,`response-media-type-removed`,{...where,media},`${subject} is no longer ${media}.`,places);for(const{media}of left.values())note(was.bodies.length===0?`risky`:`other`,`response-media-type-added`,{...where,media},`${subject} may be ${media} now.`,places)}}
function noteUnknownMedia(gone,where,note,places){const wasUnknown=gone.some(({media})=>media===`*/*`);const message=wasUnknown?`The source says now what ${nameAnswer(where)} is; it did not before.`:`The source no longer says what ${nameAnswer(where)} is.`;note(`risky`,`response-body-became-${wasUnknown?`known`:`unknown`}`,where,message,places)}
function compareHeaders(was,is,note){const places={before:was.location,after:is.location};const subject=nameAnswer({side:`response`,status:is.status,pointer:``});for(const name of was.headers.filter(header=>!is.headers.includes(header)))note(`risky`,`optional-response-header-removed`,{side:`response`,status:is.status,name,pointer:``},`${capitalizeFirst(subject)} no longer has the header \`${name}\`.`,places);for(const name of is.headers.filter(header=>!was.headers.includes(header)))note(`other`,`response-header-added`,{side:`response`,status:is.status,name,pointer:``},`${capitalizeFirst(subject)} has the header \`${name}\` now.`,places)}
const LEVELS=[`breaking`,`risky`,`other`];
function compareInputs(before,after,note){const now=new Map(after.inputs.map(input=>[inputKeyOf(input,after),input]));for(const was of before.inputs){const key=inputKeyOf(was,before);const is=now.get(key);now.delete(key);if(is)compareInput(was,is,note);else noteRemoved(was,now,note)}for(const is of now.values())noteAdded(is,note)}
function inputKeyOf({in:place,name},{segments}){const at=segments.findIndex(segment=>typeof segment!==`string`&&segment.name===name);return`${place} ${place===`path`&&at!==-1?at:name}`}
function inputIdOf(input){return isBody(input)?`request-body`:`request-parameter`}
function compareInput(was,is,note){const where=toWhere(is);const subject=capitalizeFirst(nameInput(where));const places={before:was.location,after:is.location};if(!was.required&&is.required)note(`breaking`,`${inputIdOf(is)}-became-required`,where,`${subject} is required now.`,places);if(was.required&&!is.required)note(`other`,`${inputIdOf(is)}-became-optional`,where,`${subject} is optional now.`,places);if(was.name!==is.name)note(`other`,`request-parameter-renamed`,where,`${subject} was called \`${was.name}\` before.`,places);compareDefaults(was,is,note);note.shapes(was.shape,is.shape,where,places,is.in===`path`||isTextPlace(is.in))}
function compareDefaults(was,is,note){if(JSON.stringify(was.default)===JSON.stringify(is.default))return;const id=`${inputIdOf(is)}-default-value`;const where=toWhere(is);const places={before:was.location,after:is.location};const[from,to]=[was.default,is.default].map(value=>`\`${JSON.stringify(value)}\``);const subject=nameInput(where);if(was.default===void 0)note(`risky`,`${id}-added`,where,capitalizeFirst(`${subject} is ${to} now if it is missing.`),places);else if(is.default===void 0)note(`risky`,`${id}-removed`,where,capitalizeFirst(`${subject} is no longer ${from} if it is missing.`),places);else note(`risky`,`${id}-changed`,where,`The default of ${subject} changed from ${from} to ${to}.`,places)}
function toWhere({in:place,name}){return{side:`request`,in:place,...name!==``&&{name},pointer:``}}
function noteRemoved(was,now,note){const where=toWhere(was);const places={before:was.location};const subject=capitalizeFirst(nameInput(where));if(inputIdOf(was)===`request-parameter`){note(`risky`,`request-parameter-removed`,where,`${subject} is ignored now.`,places);return}const other=was.in===`body`?`form`:`body`;const instead=now.get(`${other} `);now.delete(`${other} `);if(instead===void 0)note(`breaking`,`request-body-removed`,where,`${subject} is ignored now.`,places);else note(`breaking`,`request-body-media-type-removed`,where,`The route takes a ${other} now, and no longer a ${was.in}.`,{...places,after:instead.location})}
function noteAdded(is,note){const level=is.required?`breaking`:`other`;const need=is.required?`required`:`optional`;const id=inputIdOf(is)===`request-body`?`request-body-added-${need}`:is.required?`new-required-request-parameter`:`new-optional-request-parameter`;const where=toWhere(is);note(level,id,where,`${capitalizeFirst(nameInput(where))} is new and ${need}.`,{after:is.location})}
function compareCredentials(before,after,note){const where={side:`request`,in:`credentials`,pointer:``};const now=new Map(after.credentials.map(credential=>[nameCredential(credential),credential]));for(const was of before.credentials){const name=nameCredential(was);const is=now.get(name);now.delete(name);if(is===void 0){note(`other`,`api-security-removed`,where,`The route no longer takes ${name}.`,{before:was.location});continue}const places={before:was.location,after:is.location};if(!was.required&&is.required)note(`breaking`,`api-security-became-required`,where,`The route requires ${name} now.`,places);if(was.required&&!is.required)note(`other`,`api-security-became-optional`,where,`The route no longer requires ${name}.`,places)}for(const[name,{required,location}]of now){const message=required?`The route requires ${name} now.`:`The route takes ${name} now, if there is one.`;note(required?`breaking`:`other`,`api-security-added`,where,message,{after:location})}}
function nameCredential({kind,header}){if(kind===`api-key`)return`an API key in the header \`${header}\``;return kind===`bearer`?`a bearer token`:`a user name and a password (basic)`}
function groupDifferences(differences){const groups=new Map;for(const difference of differences){const key=keyOf$1(difference);const group=groups.get(key);if(group)group.push(difference);else groups.set(key,[difference])}return[...groups.values()].flatMap(([first,...more])=>first?[{first,more}]:[])}
function keyOf$1({id,type,message,before,after}){return JSON.stringify(type?[id,type]:[id,message,before,after])}
function countLevels(groups){const count=level=>groups.filter(({first})=>first.level===level).length;const[breaking=0,risky=0,other=0]=LEVELS.map(count);return{breaking,risky,other}}
function formatLevels(counts){return LEVELS.filter(level=>counts[level]>0).map(level=>`${counts[level]} ${level}`).join(`, `)}
const NARROWED=[`breaking`,`other`];
const WIDENED=[`other`,`breaking`];
const REPLACED=[`breaking`,`breaking`];
const LIMITED=[`risky`,`other`];
const RULES={"required-property-added":NARROWED,"optional-property-added":[`other`,`other`],"required-property-removed":[`risky`,`breaking`],"optional-property-removed":[`risky`,`risky`],"became-required":NARROWED,"became-optional":WIDENED,"became-nullable":WIDENED,"became-not-nullable":NARROWED,"type-changed":REPLACED,"type-generalized":WIDENED,"type-specialized":NARROWED,"list-of-types-widened":WIDENED,"list-of-types-narrowed":NARROWED,"one-of-added":WIDENED,"one-of-removed":NARROWED,"const-added":NARROWED,"const-removed":WIDENED,"const-changed":REPLACED,"enum-value-added":[`other`,`risky`],"enum-value-removed":NARROWED,"became-enum":NARROWED,"unique-items-set":LIMITED,"unique-items-unset":WIDENED,"multiple-of-set":NARROWED,"multiple-of-unset":WIDENED,"multiple-of-changed":REPLACED,"pattern-added":NARROWED,"pattern-changed":[`risky`,`risky`],"pattern-removed":[`other`,`risky`],"other-keys-added":[`other`,`other`],"other-keys-removed":[`risky`,`risky`],"type-became-known":[`breaking`,`risky`],"type-became-unknown":[`other`,`risky`],"schema-changed":[`risky`,`risky`],"component-renamed":[`risky`,`risky`]};
function levelOf(kind,side){return(isShapeKind(kind)?RULES[kind]:levelsOfLimit(kind))[side===`request`?0:1]}
function isShapeKind(kind){return Object.hasOwn(RULES,kind)}
function levelsOfLimit(kind){if(kind.endsWith(`-unset`))return WIDENED;if(kind.endsWith(`-set`))return kind===`min-length-set`?NARROWED:LIMITED;return kind.endsWith(`-increased`)===kind.includes(`min`)?NARROWED:WIDENED}
function createNote(operation,differences,compare){const{method,pattern}=operation;const known=new Set;const note=(level,id,where,message,places)=>push({level,id,method,pattern,where,message,...places});function push(difference){const key=keyOf$1(difference);if(!known.has(key))differences.push(difference);known.add(key)}function shapes(was,is,where,places,asText){const side=where.side===`request`?`request`:`response`;for(const change of compare(was,is,asText)){const{kind,path,type,inType}=change;const inner={...where,pointer:toPointer(path)};push({level:levelOf(kind,side),id:idOf(kind,where,path.length>0),method,pattern,where:inner,message:describeChange(change,where),...toPlaces(change,places),...type!==void 0&&{type:{name:type,pointer:toPointer(inType)}}})}}return Object.assign(note,{shapes})}
function toPlaces({before,after},places){const[was,is]=[before===void 0?places.before:before,after===void 0?places.after:after];return{...was&&{before:was},...is&&{after:is}}}
function toPointer(path){return path.map(key=>`/${escapeKey(key)}`).join(``)}
const PROPERTY_IDS={"required-property-added":[`new-required-request-property`,`response-required-property-added`],"optional-property-added":[`new-optional-request-property`,`response-optional-property-added`],"required-property-removed":[`request-property-removed`,`response-required-property-removed`],"optional-property-removed":[`request-property-removed`,`response-optional-property-removed`]};
function idOf(kind,where,isInside){if(kind===`component-renamed`)return kind;const own=PROPERTY_IDS[kind];if(where.side===`response`)return own?.[1]??`response-${isInside?`property`:`body`}-${kind}`;const name=kind===`type-specialized`?`type-changed`:kind;if(where.in===`body`||where.in===`form`)return own?.[0]??`request-${isInside?`property`:`body`}-${name}`;return`request-parameter-${isInside?`property-`:``}${name}`}
function toCases(shape,definitions){const members=[...membersIn(shape,definitions,new Set)];const found=members.map(member=>member.found);const has=kind=>found.some(one=>one.kind===kind);return{unknown:has(`unknown`),null:has(`null`),literals:found.flatMap(one=>one.kind===`literal`?one.values:[]),boolean:has(`boolean`),file:has(`file`),strings:members.flatMap(one=>one.found.kind===`date`?[{...one,found:DATE_TIME}]:ofKind(one,`string`)),numbers:members.flatMap(one=>ofKind(one,`number`)),lists:members.flatMap(one=>[...ofKind(one,`array`),...ofKind(one,`tuple`)]),objects:members.flatMap(one=>ofKind(one,`object`)),schemas:found.filter(one=>one.kind===`schema`)}}
const DATE_TIME={kind:`string`,formats:[`date-time`]};
function ofKind({shape,found},kind){return isOfKind(found,kind)?[{shape,found}]:[]}
function isOfKind(shape,kind){return shape.kind===kind}
function*membersIn(shape,definitions,above){const found=resolveShape(shape,definitions);if(found.kind!==`union`)yield{shape,found};else if(!above.has(found))for(const member of found.of)yield*membersIn(member,definitions,new Set(above).add(found))}
function resolveShape(shape,definitions){const seen=new Set;let found=shape;while(found.kind===`reference`){if(seen.has(found.name))return{kind:`never`};seen.add(found.name);found=findDefinition(found.name,definitions)}return found}
function formatLiterals(values){return values.map(value=>JSON.stringify(value)).join(` | `)}
function typesIn({strings,numbers,boolean,lists,objects,file}){return[...strings.length>0?[`string`]:[],...numbers.length>0?[`number`]:[],...boolean?[`boolean`]:[],...lists.length>0?[`array`]:[],...objects.length>0?[`object`]:[],...file?[`file`]:[]]}
function isNamed(one,other){return one.shape.kind===`reference`||other.shape.kind===`reference`}
function matchMembers(was,is,likeness=()=>1){const left=[...is];const take=isMeant=>{const at=left.findIndex(isMeant);return at===-1?void 0:left.splice(at,1)[0]};const alike=was.map(one=>take(other=>JSON.stringify(other.shape)===JSON.stringify(one.shape)));return[...was.map((one,index)=>{const scores=left.map(other=>likeness(one.found,other.found));const isOnly=left.length===1&&was.length===1;const best=Math.max(isOnly?0:1,...scores);const other=alike[index]??take(candidate=>likeness(one.found,candidate.found)>=best);return{one,...other&&{other}}}),...left.map(other=>({other}))]}
function*compareNumberLimits(before,after){yield*compareBounds(`min`,lowerOf(before),lowerOf(after));yield*compareBounds(`max`,upperOf(before),upperOf(after));yield*compareMultiples(before.multipleOf??[],after.multipleOf??[])}
function lowerOf({integer,min,exclusiveMin}){if(exclusiveMin===void 0||min!==void 0&&min>exclusiveMin)return min===void 0?void 0:{value:integer?Math.ceil(min):min,exclusive:false};if(integer)return{value:Math.floor(exclusiveMin)+1,exclusive:false};return{value:exclusiveMin,exclusive:true}}
function upperOf({integer,max,exclusiveMax}){if(exclusiveMax===void 0||max!==void 0&&max<exclusiveMax)return max===void 0?void 0:{value:integer?Math.floor(max):max,exclusive:false};if(integer)return{value:Math.ceil(exclusiveMax)-1,exclusive:false};return{value:exclusiveMax,exclusive:true}}
function*compareBounds(end,before,after){if(before?.value===after?.value&&before?.exclusive===after?.exclusive)return;const name=(after??before)?.exclusive?`exclusive-${end}`:end;const texts={...before&&{from:formatBound(end,before)},...after&&{to:formatBound(end,after)}};if(before===void 0)yield{kind:`${name}-set`,...texts};else if(after===void 0)yield{kind:`${name}-unset`,...texts};else yield{kind:`${name}-${isAbove(end,before,after)?`increased`:`decreased`}`,...texts}}
function isAbove(end,before,after){if(before.value!==after.value)return after.value>before.value;return after.exclusive===(end===`min`)}
function formatBound(end,{value,exclusive}){if(end===`min`)return`${exclusive?`more than`:`at least`} ${value}`;return`${exclusive?`less than`:`at most`} ${value}`}
function*compareMultiples(before,after){const isImplied=(factor,by)=>by.some(one=>isMultiple(one,factor));const isLess=before.some(factor=>!isImplied(factor,after));const isMore=after.some(factor=>!isImplied(factor,before));const[from,to]=[before,after].map(factors=>`multiples of ${factors.join(` and `)}`);const texts={...before.length>0&&from&&{from},...after.length>0&&to&&{to}};if(isLess&&isMore)yield{kind:`multiple-of-changed`,...texts};else if(isMore)yield{kind:`multiple-of-set`,...texts};else if(isLess)yield{kind:`multiple-of-unset`,...texts}}
function*compareTextLimits(before,after){yield*compareCounts(`length`,`min`,`character`,before.minLength,after.minLength);yield*compareCounts(`length`,`max`,`character`,before.maxLength,after.maxLength);yield*comparePatterns(before,after)}
function sizesOf(list){const isTuple=list.kind===`tuple`;const min=Math.max(list.minItems??0,isTuple?list.required:0);const most=isTuple&&list.rest===void 0?list.items.length:void 0;const max=Math.min(list.maxItems??Number.POSITIVE_INFINITY,most??Number.POSITIVE_INFINITY);return{...min>0&&{min},...max<Number.POSITIVE_INFINITY&&{max}}}
function*compareListLimits(before,after){const[was,is]=[sizesOf(before),sizesOf(after)];yield*compareCounts(`items`,`min`,`item`,was.min,is.min);yield*compareCounts(`items`,`max`,`item`,was.max,is.max);if(before.uniqueItems===after.uniqueItems)return;const text=`items that differ from each other`;yield after.uniqueItems?{kind:`unique-items-set`,to:text}:{kind:`unique-items-unset`,from:text}}
function*compareCounts(what,end,noun,before,after){const[least,greatest]=end===`min`?[before||void 0,after||void 0]:[before,after];const[was,is]=[least,greatest].map(value=>value===void 0?void 0:{value,exclusive:false});for(const change of compareBounds(end,was,is)){const kind=change.kind.replace(end,`${end}-${what}`);const count=text=>text===void 0?void 0:`${text} ${noun}${text.endsWith(` 1`)?``:`s`}`;const[from,to]=[count(change.from),count(change.to)];yield{kind,...from!==void 0&&{from},...to!==void 0&&{to}}}}
function*comparePatterns(before,after){const[was,is]=[patternsOf(before),patternsOf(after)];const gone=[...was.keys()].filter(source=>!is.has(source)).map(source=>was.get(source));const added=[...is.keys()].filter(source=>!was.has(source)).map(source=>is.get(source));const texts={...gone.length>0&&{from:gone.join(` and `)},...added.length>0&&{to:added.join(` and `)}};if(gone.length>0&&added.length>0)yield{kind:`pattern-changed`,...texts};else if(added.length>0)yield{kind:`pattern-added`,...texts};else if(gone.length>0)yield{kind:`pattern-removed`,...texts}}
function patternsOf({patterns=[]}){const telling=patterns.filter(({source})=>!ANYTHING.includes(source));return new Map(telling.map(({source,template})=>[source,template??source]))}
const ANYTHING=[``,`^`,`$`,`.*`,`[^]*`];
function note(at,kind,{from,to,was,is}={}){const{pair,path,before,after}=at;pair.own.push({kind,path,...from!==void 0&&{from},...to!==void 0&&{to},before:was===false?null:before,after:is===false?null:after,...pair.type!==void 0&&{type:pair.type},inType:path})}
function noteTypes(at,kind,was,is){note(at,kind,{from:formatShape(was),to:formatShape(is)})}
function inside(at,key,declared={}){return{...located(at,declared),path:[...at.path,key]}}
function located(at,{before,after}){return{...at,before:(before&&placeOf(before))??at.before,after:(after&&placeOf(after))??at.after}}
function compareObjects(was,is,at){if(was.length===0||is.length===0)return;const tag=was.length+is.length>2?findTag(was,is):void 0;const pairs=tag===void 0?matchMembers(was,is,countShared):matchTagged(tag,was,is);for(const{one,other}of pairs)if(one&&other)compareMembers(one,other,tag,at);else if(one)note(located(at,{before:one.found}),`one-of-removed`,{from:formatShape(one.shape)});else if(other)note(located(at,{after:other.found}),`one-of-added`,{to:formatShape(other.shape)});if(tag!==void 0)compareTags(tag,was,is,inside(at,tag))}
function compareTags(tag,was,is,at){const missing=(from,among)=>{const known=new Set(among.flatMap(member=>literalsOf(member,tag)));return from.flatMap(member=>{const values=literalsOf(member,tag);const left=values.filter(value=>!known.has(value));return left.length===values.length?[]:left})};const[gone,added]=[missing(was,is),missing(is,was)];if(gone.length>0)note(at,`enum-value-removed`,{from:formatLiterals(gone)});if(added.length>0)note(at,`enum-value-added`,{to:formatLiterals(added)})}
function findTag(was,is){return(was[0]?.found.properties.map(({name})=>name)??[]).find(name=>[was,is].every(members=>{const literals=members.map(member=>literalsOf(member,name));const all=literals.flat();return literals.every(({length})=>length>0)&&new Set(all).size===all.length}))}
function literalsOf({found},name){const property=found.properties.find(one=>one.name===name);return property?.shape.kind===`literal`&&!property.optional?property.shape.values:[]}
function matchTagged(tag,was,is){const meets=(one,other)=>literalsOf(one,tag).some(value=>literalsOf(other,tag).includes(value));return[...was.flatMap(one=>{const others=is.filter(other=>meets(one,other));return others.length===0?[{one}]:others.map(other=>({one,other}))}),...is.filter(other=>!was.some(one=>meets(one,other))).map(other=>({other}))]}
function countShared(one,other){const names=new Set(one.properties.map(({name})=>name));return other.properties.filter(({name})=>names.has(name)).length}
function compareMembers(one,other,tag,at){const isSameTag=tag===void 0||String(literalsOf(one,tag))===String(literalsOf(other,tag));if(isSameTag&&isNamed(one,other)&&!at.asText)at.scope.compare(one.shape,other.shape,at);else compareProperties(one.found,other.found,isSameTag?void 0:tag,at)}
function compareProperties(was,is,tag,at){const now=new Map(is.properties.map(property=>[property.name,property]));for(const property of was.properties){const found=now.get(property.name);now.delete(property.name);if(property.name!==tag)compareKnown(property,found,is.others,at)}for(const property of now.values())compareAdded(property,was.others,at);compareOthers(was.others,is.others,inside(at,`*`))}
function compareKnown(was,is,others,at){const shape=is?.shape??others;if(shape===void 0){const kind=was.optional&&!isUnknown(was.shape)?`optional-property-removed`:`required-property-removed`;note(inside(at,was.name,{before:was}),kind,{is:false});return}const place=inside(at,was.name,{before:was,after:is??shape});const isOptional=is?.optional??true;const isTold=isUnknown(was.shape)&&!isUnknown(shape);const isLost=!isUnknown(was.shape)&&isUnknown(shape);if(was.optional&&!isOptional&&!isTold)note(place,`became-required`);if(!was.optional&&isOptional&&!isLost)note(place,`became-optional`);at.scope.compare(was.shape,shape,place)}
function isUnknown({kind}){return kind===`unknown`}
function compareAdded(is,others,at){const place=inside(at,is.name,{before:others,after:is});if(others===void 0){note(place,is.optional?`optional-property-added`:`required-property-added`,{was:false});return}if(!is.optional)note(place,`became-required`);at.scope.compare(others,is.shape,place)}
function compareOthers(was,is,at){if(was&&is)at.scope.compare(was,is,located(at,{before:was,after:is}));else if(is)note(at,`other-keys-added`,{to:formatShape(is),was:false});else if(was)note(at,`other-keys-removed`,{from:formatShape(was),is:false})}
function createShapeComparison(before,after,isSameSchema){const scope={before,after,isSameSchema,compare:compareAt};const pairs=new Map;function compareAt(was,is,at){const[known,found]=[resolveShape(was,before),resolveShape(is,after)];const asText=at.asText&&at.path.length<=DEEPEST_TEXT;if(asText||known===was&&found===is)compareFound(known,found,{...at,asText});else{const{path,before:outer,after:other}=at;at.pair.inner.push({path,before:outer,after:other,pair:pairOf(was,is,known,found)})}}function pairOf(was,is,known,found){const others=pairs.get(known)??new Map;pairs.set(known,others);const met=others.get(found);if(met)return met;const[one,other]=[was,is].map(shape=>shape.kind===`reference`?shape.name:void 0);const pair={type:other??one,own:[],inner:[]};others.set(found,pair);const isBoth=one!==void 0&&other!==void 0;const places={before:isBoth?placeOf(known):void 0,after:isBoth?placeOf(found):void 0};const at={scope,pair,path:[],...places,asText:false};compareFound(known,found,at);if(isBoth&&one!==other&&pair.own.length===0)note(at,`component-renamed`,{from:one,to:other});return pair}return(was,is,asText=false)=>{const pair={type:void 0,own:[],inner:[]};compareAt(was,is,{scope,pair,path:[],before:placeOf(was),after:placeOf(is),asText});return collect(pair)}}
const DEEPEST_TEXT=2;
function collect(root){const seen=new Set([root]);const walk=({own,inner},above)=>[...own.map(change=>({...change,path:[...above.path,...change.path],before:change.before===void 0?above.before:change.before,after:change.after===void 0?above.after:change.after})),...inner.flatMap(({path,before,after,pair})=>{if(seen.has(pair))return[];seen.add(pair);return walk(pair,{path:[...above.path,...path],before:before??above.before,after:after??above.after})})];return walk(root,{path:[],before:void 0,after:void 0})}
function compareFound(was,is,at){const{before,after}=at.scope;const[known,found]=[toCases(was,before),toCases(is,after)];if(known.unknown||found.unknown){if(!found.unknown)noteTypes(at,`type-became-known`,was,is);else if(!known.unknown)noteTypes(at,`type-became-unknown`,was,is)}else if(known.schemas.length>0||found.schemas.length>0){if(!isSameUnion(known,found,at))noteTypes(at,`schema-changed`,was,is)}else if(!at.asText||!compareAsTexts(known,found,was,is,at))compareCases(known,found,was,is,at)}
function isSameUnion(known,found,{scope}){const[was,secondWas]=known.schemas;const[is,secondIs]=found.schemas;if(!was||!is||secondWas||secondIs||known.null!==found.null)return false;return String(typesIn(known))===String(typesIn(found))&&scope.isSameSchema(was,is)}
function compareAsTexts(known,found,was,is,at){const[single]=found.lists;if(single&&known.lists.length===0){const{found:list}=single;const items=list.kind===`array`?list.items:list.items[0]??list.rest;const isOneEnough=(sizesOf(list).min??0)<=1&&items!==void 0;noteTypes(at,isOneEnough?`type-generalized`:`type-changed`,was,is);if(isOneEnough)at.scope.compare(was,items,at);return true}if(!(known.lists.length===0&&!known.file&&known.objects.length===0)||known.strings.length>0||!found.strings.some(takesAnyText))return false;noteTypes(at,`type-generalized`,was,is);return true}
function takesAnyText({found:{minLength=0,...others}}){return minLength<=1&&Object.keys(others).length===1}
function compareCases(known,found,was,is,at){if(isEmpty(known)&&isEmpty(found))return;if(!overlaps(known,found)){noteTypes(at,isSingle(known)&&isSingle(found)?`const-changed`:`type-changed`,was,is);return}if(found.null&&!known.null)note(at,`became-nullable`);if(known.null&&!found.null)note(at,`became-not-nullable`);compareTypes(known,found,was,is,at);compareLiterals(known,found,at);compareAlike(known.strings,found.strings,at,compareTexts);compareAlike(known.numbers,found.numbers,at,compareNumbers);compareAlike(known.lists,found.lists,at,compareLists);compareObjects(known.objects,found.objects,at)}
function compareAlike(was,is,at,compare){if(was.length===0||is.length===0)return;for(const{one,other}of matchMembers(was,is))if(one&&other){if(isNamed(one,other)&&!at.asText)at.scope.compare(one.shape,other.shape,at);else compare(one.found,other.found,at)}else if(one)note(at,`one-of-removed`,{from:formatShape(one.shape)});else if(other)note(at,`one-of-added`,{to:formatShape(other.shape)})}
function overlaps(known,found){if(isEnum(known)&&isEnum(found)&&!(isSingle(known)&&isSingle(found)))return true;const types=typesIn(found);if(typesIn(known).some(type=>types.includes(type)))return true;if(known.null&&found.null)return true;return known.literals.some(value=>takesLiteral(found,value))||found.literals.some(value=>takesLiteral(known,value))}
function isEmpty(cases){return!cases.null&&cases.literals.length===0&&typesIn(cases).length===0}
function isEnum(cases){return cases.literals.length>0&&typesIn(cases).length===0}
function isSingle(cases){return!cases.null&&cases.literals.length===1&&typesIn(cases).length===0}
function takesLiteral({literals,boolean,strings,numbers},value){if(literals.includes(value)||boolean&&typeof value===`boolean`)return true;return[...strings,...numbers].some(({found})=>keepFitting({kind:`literal`,values:[value]},found).length>0)}
function compareTypes(known,found,was,is,at){const[types,now]=[typesIn(known),typesIn(found)];const isListed=({literals},type)=>literals.some(value=>typeof value===type);const gone=types.filter(type=>!now.includes(type));const added=now.filter(type=>!types.includes(type));if(gone.some(type=>isListed(found,type)))noteTypes(at,isSingle(found)?`const-added`:`became-enum`,was,is);if(added.some(type=>isListed(known,type)))noteTypes(at,isSingle(known)?`const-removed`:`type-generalized`,was,is);const from=gone.filter(type=>!isListed(found,type)).join(` | `);const to=added.filter(type=>!isListed(known,type)).join(` | `);if(from!==``)note(at,`list-of-types-narrowed`,{from});if(to!==``)note(at,`list-of-types-widened`,{to})}
function compareLiterals(known,found,at){const gone=known.literals.filter(value=>!takesLiteral(found,value));const added=found.literals.filter(value=>!takesLiteral(known,value));if(gone.length>0)note(at,`enum-value-removed`,{from:formatLiterals(gone)});if(added.length>0)note(at,`enum-value-added`,{to:formatLiterals(added)})}
function compareTexts(was,is,at){const{formats=[]}=was;const{formats:now=[]}=is;const isLess=formats.some(format=>!now.includes(format));const isMore=now.some(format=>!formats.includes(format));if(isLess&&isMore)noteTypes(at,`type-changed`,was,is);else if(isMore)noteTypes(at,`type-specialized`,was,is);else if(isLess)noteTypes(at,`type-generalized`,was,is);for(const{kind,from,to}of compareTextLimits(was,is))note(at,kind,{from,to})}
function compareNumbers(was,is,at){if(was.integer!==is.integer)noteTypes(at,was.integer?`type-generalized`:`type-specialized`,was,is);for(const{kind,from,to}of compareNumberLimits(was,is))note(at,kind,{from,to})}
function compareLists(was,is,at){for(const{kind,from,to}of compareListLimits(was,is))note(at,kind,{from,to});const length=Math.max(...[was,is].map(list=>list.kind===`tuple`?list.items.length:0));for(let index=0;index<=length;index++){const[one,other]=[itemOf(was,index),itemOf(is,index)];const place=inside(at,index===length?`*`:String(index));if(one&&other)at.scope.compare(one,other,place)}}
function createUnchanged(before,after){const changed=findChanged(before,after);return(was,is)=>{const text=toText(was);return text===toText(is)&&!text.includes(SCHEMA)&&!shapesOf(is).flatMap(referencesIn).some(name=>changed.has(name))}}
const SCHEMA=`"kind":"schema"`;
function findChanged({definitions:was},{definitions:is}){const differs=name=>{const text=toText(is[name]);return text!==toText(was[name])||text.includes(SCHEMA)};const names=new Set([...Object.keys(was),...Object.keys(is)]);return withUsers([...names].filter(differs),was,is)}
function toText(one){return JSON.stringify(one,(key,value)=>UNTOLD.has(key)?void 0:value)??``}
const UNTOLD=new Set([`location`,`summary`,`description`,`notes`]);
function shapesOf({inputs,answers}){return[...inputs,...answers.flatMap(({bodies})=>bodies)].map(({shape})=>shape)}
function compareContracts(before,after,{isSameSchema=hasSameName}={}){const differences=[];const compare=createShapeComparison(before.definitions,after.definitions,isSameSchema);const isUnchanged=createUnchanged(before,after);const paths=new Set(after.operations.map(({segments})=>shapeOfPath(segments)));for(const[was,is]of matchOperations(before.operations,after.operations)){const operation=is??was;if(operation===void 0)continue;const note=createNote(operation,differences,compare);if(was&&is){if(!isUnchanged(was,is))compareOperations(was,is,note)}else if(was)noteGone(was,paths.has(shapeOfPath(was.segments)),note);else note(`other`,`endpoint-added`,ROUTE,`The route is new.`,{after:operation.location})}return differences.sort((one,other)=>LEVELS.indexOf(one.level)-LEVELS.indexOf(other.level))}
function listUncompared(before,after,mayDiffer){return matchOperations(before.operations,after.operations).flatMap(([was,is])=>was&&is?.isOpen&&mayDiffer.has(formatLocation(is.location))?[is]:[])}
const ROUTE={side:`route`,pointer:``};
function hasSameName(before,after){return before.file===after.file&&before.exported===after.exported}
function shapeOfPath(segments,withTypes=false){const parts=segments.map(segment=>{if(typeof segment===`string`)return`/${segment}`;return withTypes?`<${segment.type}>`:`<>`});return JSON.stringify(parts)}
function matchOperations(before,after){const matched=new Map;const left=new Set(before);for(const withTypes of[true,false]){const keyOf=({method,segments})=>`${method} ${shapeOfPath(segments,withTypes)}`;const known=new Map([...left].map(operation=>[keyOf(operation),operation]));for(const is of after){const was=matched.has(is)?void 0:known.get(keyOf(is));if(was===void 0||!left.delete(was))continue;matched.set(is,was)}}return[...[...left].map(was=>[was,void 0]),...after.map(is=>[matched.get(is),is])]}
function noteGone(was,hasOtherMethod,note){const places={before:was.location};const what=hasOtherMethod?`api`:`api-path`;const message=hasOtherMethod?`The route is gone.`:`The route is gone, and no other method has its path.`;if(was.deprecated)note(`risky`,`${what}-removed-with-deprecation`,ROUTE,`${message} It was deprecated.`,places);else note(`breaking`,`${what}-removed-without-deprecation`,ROUTE,message,places)}
function compareOperations(was,is,note){const places={before:was.location,after:is.location};if(was.id!==is.id){const message=`The operation's id changed from \`${was.id}\` to \`${is.id}\`, and so does the name of the client's function.`;note(`risky`,`api-operation-id-changed`,ROUTE,message,places)}if(is.deprecated&&!was.deprecated)note(`other`,`endpoint-deprecated`,ROUTE,`The route is deprecated now.`,places);if(was.deprecated&&!is.deprecated)note(`other`,`endpoint-reactivated`,ROUTE,`The route is no longer deprecated.`,places);if(was.tag!==is.tag){const message=`The tag changed from ${JSON.stringify(was.tag??``)} to ${JSON.stringify(is.tag??``)}.`;note(`other`,`api-tag-changed`,ROUTE,message,places)}compareInputs(was,is,note);compareCredentials(was,is,note);compareAnswers(was,is,note)}
const SPECIFIER=/["'](\.{1,2}\/[^"'\n]+|#[^"'\n]+)["']/g;
function createTextsBehind({files,types:{modules}},numbers){const known=new Map;return start=>{const before=known.get(start);if(before!==void 0)return before;const reached=new Set([start]);for(const file of reached)for(const[,specifier=``]of(files.read(file)??``).matchAll(SPECIFIER)){const next=modules.resolve(file,specifier,true);if(next!==void 0)reached.add(next)}const texts=Array.from(reached,file=>numberOf(files.read(file))).join();known.set(start,texts);return texts};function numberOf(text){const number=numbers.get(text)??numbers.size;numbers.set(text,number);return number}}
function findDiffering(before,after){const numbers=new Map;const known=keysOf(before,createTextsBehind(before,numbers));const found=keysOf(after,createTextsBehind(after,numbers));const left=(own,other)=>[...own].flatMap(([key,route])=>other.has(key)?[]:[route]);return[left(known,found),left(found,known)]}
function keysOf({project},textsBehind){const labels=new Map(project.apps.map(({name,label})=>[name,label]));const everywhere=[project.settings,project.cors];return new Map(project.routes.map(route=>{const{method,pattern,handler,module,app}=route;const texts=functionsOf$2(route).flatMap(one=>[one.module,one.location.file]).map(textsBehind);return[JSON.stringify([method,pattern,handler,module,app&&labels.get(app),everywhere,texts]),route]}))}
const LOCAL_VARIABLES=[`GIT_DIR`,`GIT_WORK_TREE`,`GIT_COMMON_DIR`,`GIT_INDEX_FILE`,`GIT_PREFIX`];
function openRepository(root){const given={...process.env,LC_ALL:`C`,GIT_OPTIONAL_LOCKS:`0`};const own=Object.entries(given).filter(([name])=>!LOCAL_VARIABLES.includes(name));let refusal=``;for(const env of[Object.fromEntries(own),given]){const{status,stdout,stderr}=askGit({root,env},`rev-parse`,[`--show-prefix`,`--is-shallow-repository`]);const[prefix=``,shallow]=stdout.toString().split(`
`);if(status===0)return{root,prefix,isShallow:shallow===`true`,env};refusal||=stderr}throw explainRefusal(root,refusal)}
function explainRefusal(root,stderr){if(stderr.includes(`dubious ownership`))return new Problem(`Git doesn't read this repository, because another user owns it.`,`If you trust it: git config --global --add safe.directory ${JSON.stringify(root)}`);if(stderr.includes(`not a git repository`))return new Problem(`This project is not in a git repository.`,`Only a committed contract can be compared: git init, and commit.`);return new Problem(`Git can't read this repository: ${firstLine(stderr)}`)}
function askGit({root,env},command,args,input){const{error,status,stdout,stderr}=spawnSync(`git`,[command,...args],{cwd:root,env,...input!==void 0&&{input},maxBuffer:Number.POSITIVE_INFINITY,windowsHide:true});if(error===void 0)return{status,stdout,stderr:stderr.toString()};if(codeOf(error)!==`ENOENT`)throw new Problem(`Git could not be started: ${error.message}`);throw new Problem(`Git is not installed, or not on the PATH.`,`Install it: https://git-scm.com/downloads`)}
function firstLine(stderr){const[line=``]=stderr.replace(/^(?:fatal|error): /,``).split(`
`);return line}
function findCommit(repository,ref){if(ref===``||ref.startsWith(`-`))throw unknownRef(repository,ref);const{status,stdout}=askGit(repository,`rev-parse`,[`--verify`,`--quiet`,`${ref}^{commit}`]);if(status!==0)throw unknownRef(repository,ref);return stdout.toString().trim()}
function findMergeBase(repository,one,other){const{status,stdout}=askGit(repository,`merge-base`,[findCommit(repository,one),findCommit(repository,other)]);if(status===0)return stdout.toString().trim();throw new Problem(`${one} and ${other} have no commit in common.`,repository.isShallow?adviseOnShallow(one):`Compare with ${one} itself, without the dots.`)}
function unknownRef(repository,ref){const{stdout}=askGit(repository,`for-each-ref`,[`--format=%(refname:short)`]);const names=stdout.toString().split(`
`).filter(name=>name!==``);if(names.length===0&&findHead(repository)===void 0)return new Problem(`The repository has no commit yet.`,`Commit the project first.`);const near=names.find(name=>name.endsWith(`/${ref}`))??closest(ref,names);const hints=[...near===void 0?[]:[`Did you mean ${near}?`],...repository.isShallow?[adviseOnShallow(ref)]:[]];return new Problem(`Git knows no commit ${JSON.stringify(ref)}.`,hints.join(`
`)||"Name a branch, a tag or a commit. `git fetch` gets those of the remote.")}
function findHead(repository){const{status,stdout}=askGit(repository,`rev-parse`,[`--verify`,`--quiet`,`HEAD`]);return status===0?stdout.toString().trim():void 0}
function adviseOnShallow(ref){return`This clone has only part of the history. In GitHub Actions, give actions/checkout \`fetch-depth: 0\`;
elsewhere: git fetch --unshallow origin, or git fetch origin ${ref.replace(/^origin\//,``)}`}
function listTree(repository,commit,folder){const{status,stdout,stderr}=askGit(repository,`ls-tree`,[`-r`,`-z`,`--full-tree`,commit,...folder===``?[]:[`--`,folder]]);if(status!==0)throw new Problem(`Git can't list ${commit}: ${firstLine(stderr)}`);const entries=new Map;for(const line of stdout.toString().split(`\0`)){const[,mode,object,path]=/^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line)??[];if(mode!==void 0&&object!==void 0&&path!==void 0)entries.set(path,{mode,object})}return entries}
const LINE_FEED=10;
function readObjects(repository,objects){const found=new Map;if(objects.length===0)return found;const{stdout,stderr}=askGit(repository,`cat-file`,[`--batch`,`--buffer`],objects.map(object=>`${object}\n`).join(``));for(let at=0;at<stdout.length;){const end=stdout.indexOf(LINE_FEED,at);const[object=``,,size]=stdout.toString(`latin1`,at,end).split(` `);at=end+1;if(size===void 0)continue;found.set(object,stdout.subarray(at,at+Number(size)));at+=Number(size)+1}const missing=objects.find(object=>!found.has(object));if(missing!==void 0)throw new Problem(`Git has no object ${missing}: ${firstLine(stderr)}`,`Fetch it: git fetch`);return found}
const LINK=`120000`;
const SUBMODULE=`160000`;
const LIKELY=/(?:\.m?[jt]s|\.toml|(?:^|\/)(?:package|tsconfig)\.json)$/;
const UNLIKELY=[`node_modules`,VENDORED_FOLDER,`dist`].map(folder=>`/${folder}/`);
const LFS=`version https://git-lfs.github.com/spec/`;
const MOST_LINKS=40;
function createCommitFiles(repository,commit){const{prefix}=repository;const objects=new Map;const texts=new Map;const seen=[];const diagnostics=[];let tree=openTree(listTree(repository,commit,prefix));const installed=createFiles(repository.root);function locate(file){const path=posix.join(prefix,file).replace(/\/$/,``);if(!path.startsWith(prefix.replace(/\/$/,``))&&!isWhole)openWhole();return follow(path===`.`?``:path)}let isWhole=prefix===``;function openWhole(){isWhole=true;tree=openTree(listTree(repository,commit,``))}function follow(path,links=0){if(path.startsWith(`..`)||links>MOST_LINKS)return void 0;if(tree.links.length===0)return path;const link=tree.links.find(one=>path===one||path.startsWith(`${one}/`));if(link===void 0)return path;const target=bytesOf(link)?.toString()??``;if(posix.isAbsolute(target))return void 0;const next=posix.join(posix.dirname(link),target,path.slice(link.length)).replace(/\/$/,``);if(!isWhole&&!next.startsWith(prefix))openWhole();return follow(next,links+1)}function bytesOf(path){const object=tree.entries.get(path)?.object;if(object===void 0)return void 0;if(!objects.has(object))preload(path,object);return objects.get(object)}function preload(path,object){const folder=path.startsWith(prefix)?prefix:`${posix.dirname(path)}/`;const wanted=new Set([object]);for(const[file,entry]of tree.entries){if(entry.mode===SUBMODULE||objects.has(entry.object)||!file.startsWith(folder))continue;if(entry.mode===LINK||isLikely(file))wanted.add(entry.object)}for(const[name,bytes]of readObjects(repository,[...wanted]))objects.set(name,bytes)}function load(file){const path=locate(file);if(path===void 0)return void 0;const entry=tree.entries.get(path);if(entry===void 0?tree.folders.has(path):entry.mode===SUBMODULE){diagnostics.push(diagnose(`FW113`,{file,why:`it is not a file`},startOf(file)));return}const bytes=bytesOf(path);if(bytes===void 0)return void 0;if(bytes.toString(`latin1`,0,40)===LFS)throw new Problem(`${file} is in Git LFS, so git has only a pointer to its text.`,`Keep source files out of LFS: git lfs untrack`);const text=decodeText(file,bytes);if(typeof text===`string`)return text;diagnostics.push(text)}function placeOfPackage(folder){const path=relative(installed.place(``),installed.place(folder)).split(sep).join(`/`);return posix.join(prefix,path)}function kindOf(path){if(path===void 0)return`other`;const mode=tree.entries.get(path)?.mode;if(mode===void 0)return tree.folders.has(path)?`folder`:`other`;return mode===SUBMODULE?`folder`:`file`}return{read(file){if(texts.has(file))return texts.get(file);const text=isInstalled(file)?installed.read(file):load(file);texts.set(file,text);if(text!==void 0)seen.push(file);return text},has(file){return isInstalled(file)?installed.has(file):kindOf(locate(file))!==`other`},list(folder){const path=locate(folder);return[...(path===void 0?void 0:tree.folders.get(path))??[]].sort(compareText$1).map(name=>{const inner=path===``?name:`${path}/${name}`;const isLink=tree.entries.get(inner)?.mode===LINK;return{name,kind:kindOf(follow(inner)),...isLink&&{link:true}}})},place:folder=>`/${isInstalled(folder)?placeOfPackage(folder):locate(folder)??folder}`,seen,diagnostics}}
function isLikely(file){return LIKELY.test(file)&&!UNLIKELY.some(folder=>`/${file}`.includes(folder))}
function openTree(entries){const folders=new Map;for(const path of entries.keys())addToFolder(folders,path);return{entries,folders,links:[...entries].filter(([,{mode}])=>mode===LINK).map(([path])=>path)}}
function addToFolder(folders,path){const at=path.lastIndexOf(`/`);const folder=path.slice(0,Math.max(0,at));const names=folders.get(folder);if(names)names.add(path.slice(at+1));else folders.set(folder,new Set([path.slice(at+1)]));if(names===void 0&&folder!==``)addToFolder(folders,folder)}
var RefError=class extends ProjectError{ref;constructor(root,ref,diagnostics,files){super(root,diagnostics,file=>files.read(file));this.ref=ref}};
function loadBoth(root,refs){const repository=openRepository(root);const[one,other]=resolveRange(repository,refs).map(asked=>({...asked,sources:readSide(repository,asked)}));if(one===void 0||other===void 0)throw new Error(`A range has two sides.`);const[before,after]=findDiffering(one.sources,other.sources);return[toLoaded(one,before),toLoaded(other,after)]}
const SHORT=7;
const ON_DISK={ref:void 0,commit:void 0};
function resolveRange(repository,[first=``,second]){const commitOf=ref=>({ref,commit:findCommit(repository,ref)});if(second!==void 0)return[commitOf(first),commitOf(second)];const[,start=first,dots,to=``]=/^(.*?)(\.{2,3})(.*)$/s.exec(first)??[];const from=start===``&&dots!==void 0?`HEAD`:start;const after=to===``?ON_DISK:commitOf(to);if(dots!==`...`)return[commitOf(from),after];const base=findMergeBase(repository,from,to===``?`HEAD`:to);return[{ref:base.slice(0,SHORT),commit:base},after]}
function readSide(repository,{ref,commit}){const{root}=repository;const files=commit===void 0?createFiles(root):createCommitFiles(repository,commit);const sources=readSources(root,files);const{diagnostics}=sources.project;if(!files.has(`framework.toml`)||!hasErrors(diagnostics))return sources;throw ref===void 0?new ProjectError(root,diagnostics):new RefError(root,ref,diagnostics,files)}
function toLoaded({sources,...side},differing){const isMissing=!sources.files.has(CONFIG_FILE);const project=isMissing?{...sources.project,routes:[]}:sources.project;const mayDiffer=new Set(differing.map(({location})=>formatLocation(location)));return{...side,sources,contract:readContract({...sources,project}),mayDiffer,isMissing}}
const LONGEST_COMMENT=65e3;
const LONGEST_LINE=200;
const HEADINGS={breaking:`Breaking`,risky:`Risky`,other:`Other`};
function formatMarkdown(groups,sides,title){const counts=countLevels(groups);const parts=[`## ${groups.length===0?`No changes of the contract`:`Contract: ${formatLevels(counts)}`}`,escapeMarkdown(`${title}.`)];let room=LONGEST_COMMENT-parts.join(`

`).length;for(const level of LEVELS){const chosen=groups.filter(({first})=>first.level===level);if(chosen.length===0)continue;const section=formatSection(level,chosen,sides,room);parts.push(section);room-=section.length+2}return parts.join(`

`)}
const RESERVE=300;
function formatSection(level,groups,sides,room){const shown=[];let left=room-RESERVE;for(const group of groups){const text=formatItem(group,sides);if(text.length+1>left)break;shown.push(text);left-=text.length+1}const hidden=groups.length-shown.length;if(hidden>0)shown.push(`- … and ${hidden} more`);const title=`${HEADINGS[level]} (${groups.length})`;if(level!==`other`)return`### ${title}\n\n${shown.join(`
`)}`;return`<details><summary>${title}</summary>\n\n${shown.join(`
`)}\n\n</details>`}
function formatItem({first,more},[before,after]){const{method,pattern,id,message}=first;const rest=more.length===0?``:` And ${more.length} more ${more.length===1?`route`:`routes`}.`;const lines=[...first.before?[[`-`,first.before,before]]:[],...first.after?[[`+`,first.after,after]]:[]].flatMap(([sign,location,{sources}])=>{const text=lineOf(location,sources.files.read(location.file));return[`${sign} ${escapeControl(formatLocation(location))}`,...text===void 0?[]:[`${sign} ${cutLine(text)}`]]});return`- **${toCode(`${method} ${pattern}`)}** ${escapeMarkdown(message)}${rest} ${toCode(id)}\n${indent(toFence(lines))}`}
function cutLine(text){const shown=escapeControl(text.replaceAll(`	`,`  `));return shown.length>LONGEST_LINE?`${shown.slice(0,LONGEST_LINE)}…`:shown}
function indent(text){return text.replace(/^/gm,`  `)}
function toFence(lines){const runs=lines.join(`
`).match(/~{3,}/g)??[];const fence=`~`.repeat(Math.max(2,...runs.map(({length})=>length))+1);return[`${fence}diff`,...lines,fence].join(`
`)}
function toCode(text){const shown=escapeControl(text);const runs=shown.match(/`+/g)??[];const ticks="`".repeat(Math.max(0,...runs.map(({length})=>length))+1);return ticks.length===1?`\`${shown}\``:`${ticks} ${shown} ${ticks}`}
function escapeMarkdown(message){return escapeControl(message).split(/((`+)(?!`)[^\n]*?(?<!`)\2(?!`))/).flatMap((part,index)=>index%3===2?[]:[index%3===1?part:escapePlain(part)]).join(``)}
function escapePlain(text){return text.replace(/[&<>@#]/g,char=>`&#${char.charCodeAt(0)};`).replace(/[\\`*_{}[\]|~!]/g,char=>`\\${char}`)}
function createSchemaComparison(before,after){const numbers=new Map;const behindBefore=createTextsBehind(before,numbers);const behindAfter=createTextsBehind(after,numbers);return(was,is)=>was.exported===is.exported&&behindBefore(was.file)===behindAfter(is.file)}
const COLORS={breaking:text=>kleur.red().bold(text),risky:text=>kleur.yellow().bold(text),other:text=>kleur.blue().bold(text)};
function formatGroup({first,more},[before,after],{columns,color}){kleur.enabled=color;const{level,id,method,pattern,message}=first;const head=`${COLORS[level](level)} ${kleur.bold(escapeControl(`${method} ${pattern}`))} ${kleur.dim(id)}`;const lines=wrapText(escapeControl(message),Math.max(columns-2,20)).map(line=>`  ${line}`);const rest=more.length===0?[]:[kleur.dim(`  and ${more.length} more ${more.length===1?`route`:`routes`}`)];return[head,...lines,...formatPlaces(first.before,first.after,[before,after]),...rest].join(`
`)}
function formatPlaces(was,is,[before,after]){const textBefore=was&&before.sources.files.read(was.file);const textAfter=is&&after.sources.files.read(is.file);const isSame=was&&is&&lineOf(was,textBefore)===lineOf(is,textAfter);return[...was?[formatPlace(before.ref,was),...isSame?[]:formatFrame(was,textBefore)]:[],...is?[formatPlace(after.ref,is),...formatFrame(is,textAfter)]:[]]}
function formatPlace(ref,location){const start=ref===void 0?``:`${escapeControl(ref)}:`;return`  ${kleur.cyan(start+formatLocation(location))}`}
const routesDiff={usage:`framework routes diff <ref> [<ref>] [options]`,summary:`Show what has changed for callers since a commit, breaking changes first.`,details:`It compares what routes take and answer at a commit with the files on disk, or with a second commit.
main is the commit at the end of main. main... is the one at which this branch has left main.
It reads git's objects: it checks nothing out, installs nothing, and runs nothing of the project.
A commit has no node_modules, so of both sides it knows only what the source says. It prints how many results it could not compare.
A change breaks callers if the route takes less or answers more than before. With a breaking change, the exit status is 1.`,options:{"fail-on":{type:`string`,value:`<level>`,description:`Exit with 1 on a change of this level, or above: breaking, risky or none. Default: breaking.`},json:{type:`boolean`,description:`Print every difference of every route as a JSON array, for programs.`},markdown:{type:`boolean`,description:`Print a comment for a pull request.`},strict:{type:`boolean`,description:`Exit with 1 also if a result could not be compared, and name each on stderr.`}},examples:[`framework routes diff main`,`framework routes diff origin/main... --markdown`,`framework routes diff v1.2.0 v1.3.0 --fail-on none`],takesWords:true,async run(input){const failing=chooseFailing(input);const refs=chooseRefs(input);const sides=load(requireProjectRoot(input),refs,input);const[before,after]=sides;const differences=compareContracts(before.contract,after.contract,{isSameSchema:createSchemaComparison(before.sources,after.sources)});const uncompared=listUncompared(before.contract,after.contract,after.mayDiffer);printDifferences(differences,uncompared.length,sides,input);const isStrict=input.options.strict===true;if(isStrict)nameUncompared(uncompared,input);return differences.some(({level})=>failing.includes(level))||isStrict&&uncompared.length>0?1:0}};
const FAILING={breaking:[`breaking`],risky:[`breaking`,`risky`],none:[]};
function chooseFailing({options}){const level=options[`fail-on`]??`breaking`;const found=typeof level===`string`&&Object.hasOwn(FAILING,level)?FAILING[level]:void 0;if(found===void 0)throw new UsageError(`--fail-on takes no ${JSON.stringify(level)}.`,`Give breaking, risky or none.`);return found}
function chooseRefs({words,options}){if(options.json===true&&options.markdown===true)throw new UsageError(`--json and --markdown are two formats.`,`Choose one of them.`);const[first,second,third]=words;if(first===void 0)throw new UsageError(`With which commit to compare?`,`Name a branch, a tag or a commit: framework routes diff main`);if(third!==void 0)throw new UsageError(`Unexpected argument ${JSON.stringify(third)} after two refs.`);if(second!==void 0&&`${first} ${second}`.includes(`..`))throw new UsageError(`A range with dots has both commits already.`,`Give it alone.`);return words}
function load(root,refs,{terminal}){try{return loadBoth(root,refs)}catch(error){if(error instanceof RefError){const message=`At ${error.ref}, the project has errors, so its routes can't be compared.`;terminal.printError(`${formatProblem(message,`Name a commit without errors.`,terminal.color)}\n`)}throw error}}
function nameUncompared(operations,{terminal}){for(const{method,pattern,location}of operations){const message=escapeControl(`The result of ${method} ${pattern} was not compared (${formatLocation(location)}).`);terminal.printError(formatProblem(message,"Write the return type, as in `: Promise<User>`.",terminal.color))}}
function printDifferences(differences,uncompared,sides,{options,terminal}){const{print,columns,color}=terminal;const groups=groupDifferences(differences);const[before,after]=sides;const open=uncompared===0?``:`. ${sayUncompared(uncompared)}`;const title=`Compared with ${nameSide(before)}${after.ref===void 0?``:`: ${nameSide(after)}`}${open}`;if(options.json===true){print(formatJson(differences.map(toDifferenceRecord),2));return}if(options.markdown===true){print(formatMarkdown(groups,sides,title));return}for(const group of groups)print(`${formatGroup(group,sides,{columns,color})}\n`);for(const side of sides)if(side.isMissing)print(`There is no framework.toml in ${side.ref??`this folder`}, so it has no routes.`);const routes=count(after.sources.project.routes.length,`route`);if(groups.length===0)print(`No changes in ${routes}. ${title}.`);else print(`${count(groups.length,`change`)} in ${routes}: ${formatLevels(countLevels(groups))}. ${title}.`)}
function sayUncompared(number){return`${number===1?`1 result was`:`${number} results were`} not compared, because the source does not say ${number===1?`its type`:`their types`}`}
function nameSide({ref=`the files here`,commit}){return commit===void 0||commit.startsWith(ref)?ref:`${ref} (${commit.slice(0,7)})`}
function toDifferenceRecord({level,id,method,pattern,where,message,before,after,type}){return{level,id,method,pattern,where,message,before:before?toPlace(before):null,after:after?toPlace(after):null,type:type?.name??null}}
const found=new Map;
async function loadHeldProject(stack){const sources=await readCurrentProject(stack);const loaded=await loadWhole(sources.project);const looks=sources.project.routes.map(route=>createLook(sources,route));const routes=loaded.routes.map((bound,index)=>({...bound,look:looks[index]}));return{...loaded,routes}}
function createLook(sources,route){let declared=`unread`;return answer=>{if(declared===`unread`)declared=readDeclared(sources,route);const diagnostic=declared&&diagnoseDifferences(route,compareAnswer$1(answer,declared).differences);if(diagnostic===void 0)return answer;keep(sources.project.root,diagnostic);return errorAnswer(500,`${diagnostic.code} ${diagnostic.message} (${formatLocation(route.location)})`)}}
function keep(root,diagnostic){if(found.size===0)process.on(`exit`,()=>report(root));found.set(diagnostic.message,diagnostic)}
function report(root){const hasColors=process.stderr.isTTY===true&&process.stderr.hasColors();console.error(new ProjectError(root,[...found.values()]).format(hasColors));process.exitCode||=1}
const PLACE=join$1(`node_modules`,`typescript`);
function findCompiler(root){const above=findAbove(root,join$1(PLACE,PACKAGE_FILE));if(above===void 0)return void 0;const folder=join$1(above,PLACE);try{const read=JSON.parse(readFileSync(join$1(folder,PACKAGE_FILE),`utf8`));const program=isRecord(read)&&isRecord(read.bin)?read.bin.tsc:void 0;return typeof program===`string`?join$1(folder,program):void 0}catch{return}}
function copySources({files,types:{modules}},functions,home){const wanted=new Set([...functions.values()].map(({module})=>module.file));const parsed=[];const texts=new Map;const hidden=new Map;for(const file of wanted){const text=files.read(file);if(text===void 0)continue;const found=toParsedFile(text,parseSyntax({text,file}).statements);parsed.push({file,text,...found});for(const{value}of found.specifiers){const target=modules.resolve(file,value,true);if(target!==void 0&&isCopied(target))wanted.add(target)}}for(const[index,{file,text,specifiers,pairs,unexported}]of parsed.entries()){const edits=[...specifiers.flatMap(node=>pointElsewhere(file,node)),...pairs.flatMap(toCall)];const names=unexported.map(name=>{hidden.set(`${name}$${index}`,{file,name});return`${name} as ${name}$${index}`});const more=names.length===0?``:`\nexport type { ${names.join(`, `)} };\n`;texts.set(file,applyEdits(text,edits)+more)}return{texts,hidden};function pointElsewhere(file,node){const target=modules.resolve(file,node.value,true)??modules.locate(file,node.value,true);if(target===void 0)return[];const path=wanted.has(target)?target:posix.join(home,target);const text=JSON.stringify(toRelative(file,path));return[{start:node.start??0,end:node.end??0,text}]}}
function isCopied(file){return/\.m?ts$/.test(file)&&!isDeclarationFile(file)&&!file.startsWith(`../`)&&!FOREIGN.test(file)}
const FOREIGN=new RegExp(`^${VENDORED_FOLDER}/|(?:^|/)node_modules/`);
function toParsedFile(text,statements){const all=nodesInside(text.includes(`import(`)?statements:statements.filter(one=>!isOfTypes(one)));return{specifiers:all.flatMap(specifiersIn),pairs:findPairs(statements,all),unexported:listUnexportedTypes(statements)}}
function isOfTypes(statement){const declared=statement.type===`ExportNamedDeclaration`?statement.declaration:statement;return declared?.type===`TSInterfaceDeclaration`||declared?.type===`TSTypeAliasDeclaration`}
function specifiersIn(node){const source=sourceOf(node);return source?.type===`StringLiteral`?[source]:[]}
function sourceOf(node){switch(node.type){case`ImportDeclaration`:case`ExportNamedDeclaration`:case`ExportAllDeclaration`:case`ImportExpression`:return node.source;case`CallExpression`:return node.callee.type===`Import`?node.arguments[0]:void 0;case`TSImportType`:return node.argument;case`TSExternalModuleReference`:return node.expression;case`TSModuleDeclaration`:return node.id;default:return}}
function findPairs(statements,all){const asserted=new Set(all.flatMap(node=>node.type===`TSAsExpression`?[node.expression]:[]));const outer=new Set(statements.flatMap(functionsOf));return all.filter(isFunction).flatMap(written=>returnedNodes(written).filter(node=>{if(node.type!==`ArrayExpression`||asserted.has(node))return false;const[first,second,third]=node.elements;if(!first||!second||third!==void 0)return false;if(first.type===`SpreadElement`||second.type===`SpreadElement`)return false;return outer.has(written)||isStatus(second)}))}
function functionsOf(statement){const declared=statement.type===`ExportNamedDeclaration`||statement.type===`ExportDefaultDeclaration`?statement.declaration:statement;return(declared?.type===`VariableDeclaration`?declared.declarations.map(({init})=>init):[declared]).flatMap(value=>{let inner=value;while(inner?.type===`TSAsExpression`||inner?.type===`TSSatisfiesExpression`)inner=inner.expression;return inner&&isFunction(inner)?[inner]:[]})}
function isStatus(node){if(node.type===`ConditionalExpression`)return isStatus(node.consequent)&&isStatus(node.alternate);return node.type===`NumericLiteral`&&node.value>=200&&node.value<=599}
function toCall({start,end}){const[from,to]=[start??0,end??0];return[{start:from,end:from+1,text:` $pair(`},{start:to-1,end:to,text:`)`}]}
function listUnexportedTypes(statements){if(!statements.some(({type})=>/^(?:Import|Export)/.test(type)))return[];const exported=new Set(statements.flatMap(statement=>statement.type===`ExportNamedDeclaration`&&!statement.source?statement.specifiers.flatMap(one=>one.type===`ExportSpecifier`?[nameOf$1(one.local)]:[]):[]));const declared=statements.flatMap(statement=>statement.type===`TSInterfaceDeclaration`||statement.type===`TSTypeAliasDeclaration`||statement.type===`TSEnumDeclaration`||statement.type===`ClassDeclaration`&&statement.id?[statement.id?.name??``]:[]);return[...new Set(declared)].filter(name=>!exported.has(name))}
function readReturnType(declarations,name,original,location){const parameters=new Map;const scope={module:original.module,parameters};const settle=createSettle(original,location,parameters);const visited=new Set;for(let next=name;!visited.has(next);){visited.add(next);const value=declarations.values.get(next);if(value?.kind===`name`)next=value.name;if(value?.kind!==`function`)continue;if(value.returns)return{type:settle(value.returns),scope};const{contextual}=value;if(contextual?.kind===`typeof`&&contextual.path.length===1)next=contextual.path[0]??``;else if(contextual)return returnsOf({type:settle(contextual),scope},original.modules)}}
function returnsOf(given,modules){const{type,scope}=endOf(modules,given);return type.kind===`function`&&type.returns?{type:type.returns,scope}:void 0}
function createSettle({module,hidden,home,modules},location,parameters){return settle;function settle(type){switch(type.kind){case`name`:return settleName(type);case`import`:return settleImport(type);case`typeof`:return{...type,location,...type.from!==void 0&&{from:pointBack(type.from)}};case`union`:{const of=type.of.map(settle);return{...type,location,of,text:of.map(({text})=>text).join(` | `)}}default:return settleInside(type)}}function settleInside(part){const entries=Object.entries(part).map(([key,value])=>[key,settlePart(key,value)]);return Object.fromEntries(entries)}function settlePart(key,value){if(key===`location`)return location;if(Array.isArray(value))return value.map(one=>settlePart(``,one));if(typeof value!==`object`||value===null)return value;return`text`in value?settle(value):settleInside(value)}function settleName(type){const given=type.arguments.map(settle);const texts=given.map(({text})=>text).join(`, `);if(type.path[0]!==`$Pair`)return{...type,location,arguments:given,text:texts?`${type.path.join(`.`)}<${texts}>`:type.text};return{kind:`tuple`,items:given.map(one=>({type:one,optional:false,rest:false})),text:`[${texts}]`,location}}function settleImport(type){const given=type.arguments.map(settle);const[first=``,...rest]=type.path;const found=rest.length===0?hidden.get(first):void 0;const target=found&&modules.get(found.file);if(!found||!target)return{...type,location,from:pointBack(type.from),arguments:given};const names=given.map((_,index)=>`${index}`);const inside=new Map(given.map((one,index)=>[`${index}`,{type:one,scope:{module,parameters}}]));const place={location,text:type.text};const inner={kind:`name`,path:[found.name],arguments:names.map(name=>({kind:`name`,path:[name],arguments:[],...place})),...place};const name=`$${parameters.size}`;parameters.set(name,{type:inner,scope:{module:target,parameters:inside}});return{kind:`name`,path:[name],arguments:[],...place}}function pointBack(from){if(!from.startsWith(`.`))return from;const path=posix.join(posix.dirname(module.file),from);const file=path.startsWith(`..`)?pathBetween(home,path):path;return FRAMEWORK.test(file)?`framework`:toRelative(module.file,file)}}
const FRAMEWORK=/(?:^|\/)(?:vendor|node_modules)\/framework\//;
function keyOf(module,exported){return`${module} ${exported}`}
function listWanted(sources){const wanted=new Map;for(const one of listFunctions(sources)){const key=keyOf(one.module,one.exported);const found=wanted.has(key)?void 0:findUnwritten(sources,one);if(found)wanted.set(key,found)}return wanted}
function listFunctions({project:{routes,unmatched}}){const folders=[...routes.flatMap(({hooks})=>hooks),...unmatched?[unmatched]:[]];return[...routes.map(({module,handler})=>({module,exported:handler})),...routes.flatMap(({calls})=>calls),...folders.flatMap(({middleware,error})=>[middleware??[],error??[]].flat())]}
function findUnwritten({types:{modules}},{module:file,exported}){const module=modules.get(file);const place=module?.exports.get(exported)?.location??{file,line:1,column:1};const origin=module&&resolveExport(modules,module,exported,place);if(origin?.kind!==`function`&&origin?.kind!==`opaque`)return void 0;if(origin.kind===`function`&&origin.value.returns!==null)return void 0;const value=origin.kind===`function`?origin.value:origin;const{location}=value;const declaring=modules.get(location.file);const name=declaring&&namesIn(declaring).get(value);return declaring&&name!==void 0?{module:declaring,name,location}:void 0}
const alreadyListed=new WeakMap;
function namesIn(module){const names=alreadyListed.get(module)??new Map([...module.values].map(([name,value])=>[value,name]));alreadyListed.set(module,names);return names}
const SETTINGS_FILE=`tsconfig.json`;
const OUT_FOLDER=`.out`;
const GLOBALS_FILE=`$globals.d.ts`;
const GLOBALS_TEXT=`interface Response {}
declare var Response: {
  prototype: Response;
  new (body?: any, init?: any): Response;
  error(): Response;
  json(data: any, init?: any): Response;
  redirect(url: any, status?: number): Response;
};
interface $Pair<in out T, in out S> extends Array<T | S> {
  0: T;
  1: S;
  length: 2;
}
declare function $pair<T extends object | null | undefined, S extends number>(value: T, status: S): $Pair<T, S>;
declare function $pair<T extends string | number | boolean | bigint | symbol, U>(first: T, second: U): (T | U)[];
declare function $pair<T, S extends number>(value: T, status: S): $Pair<T, S>;
declare function $pair<T, U>(first: T, second: U): (T | U)[];
`;
const ALWAYS={noEmit:false,declaration:true,emitDeclarationOnly:true,noEmitOnError:false,noCheck:true,skipLibCheck:true,strictNullChecks:true,noErrorTruncation:true,removeComments:true,stripInternal:false,declarationMap:false,composite:false,incremental:false,tsBuildInfoFile:null,isolatedDeclarations:false,allowImportingTsExtensions:true,rewriteRelativeImportExtensions:false};
const DEFAULTS={module:`nodenext`,target:`es2022`,strict:true};
function formatSettings(root,folder,files){const base=join$1(root,SETTINGS_FILE);const isThere=existsSync(base);const project=toSlashes(root);return JSON.stringify({...isThere&&{extends:toSlashes(base)},compilerOptions:{...!isThere&&DEFAULTS,...ALWAYS,rootDir:toSlashes(parse(folder).root),outDir:`./${OUT_FOLDER}`,declarationDir:`./${OUT_FOLDER}`},files,include:[`${project}/**/*.d.ts`],exclude:[`node_modules`,`dist`,`vendor`].map(name=>`${project}/**/${name}`),references:[]})}
function toSlashes(path){return path.split(sep).join(`/`)}
const LONGEST_RUN=6e4;
const PREFIX=`.framework-infer-`;
function openWorkspace(root,{patience=LONGEST_RUN}={}){const{top,folder}=makeFolder(root);const out=join$1(folder,OUT_FOLDER,relative(parse(folder).root,folder));let child;const forget=atEnd(close);return{home:toPath$1(folder,root),write,compile,readDeclarations,close};function write(texts){for(const one of new Set([...texts.keys()].map(dirname)))mkdirSync(join$1(folder,one),{recursive:true});for(const[file,text]of texts)writeFileSync(join$1(folder,file),text)}async function compile(program,files){const settings=formatSettings(root,folder,[GLOBALS_FILE,...files]);write(new Map([[GLOBALS_FILE,GLOBALS_TEXT],[SETTINGS_FILE,settings]]));child=runIn(program,folder);const compilation=await finish(child,patience);child=void 0;return compilation}function readDeclarations(file){try{return readFileSync(join$1(out,toDeclarationFile(file)),`utf8`)}catch{return}}function close(){forget();if(child)end(child);rmSync(top,{recursive:true,force:true,maxRetries:3})}}
function toDeclarationFile(file){return file.replace(/\.(m?)ts$/,`.d.$1ts`)}
function makeFolder(root){try{const folder=mkdtempSync(join$1(root,PREFIX));return{top:folder,folder}}catch(error){const elsewhere=realpathSync(tmpdir());if(parse(elsewhere).root!==parse(root).root)throw error;const top=mkdtempSync(join$1(elsewhere,PREFIX));return{top,folder:linkPackages(root,top)}}}
function linkPackages(root,top){let folder=top;for(const place of foldersAbove(root).reverse()){const packages=join$1(place,`node_modules`);if(!existsSync(packages))continue;folder=join$1(folder,`inside`);mkdirSync(folder);symlinkSync(packages,join$1(folder,`node_modules`),`junction`)}const manifest=join$1(root,PACKAGE_FILE);if(existsSync(manifest))copyFileSync(manifest,join$1(folder,PACKAGE_FILE));return folder}
function foldersAbove(folder){const above=dirname(folder);return above===folder?[folder]:[folder,...foldersAbove(above)]}
const HAS_GROUPS=process.platform!==`win32`;
function runIn(program,folder){const{NODE_OPTIONS:_,...env}=process.env;return spawn(process.execPath,[program,`-p`,join$1(folder,SETTINGS_FILE),`--pretty`,`false`],{cwd:folder,env,stdio:[`ignore`,`pipe`,`pipe`],detached:HAS_GROUPS})}
function end(child){try{if(HAS_GROUPS&&child.pid!==void 0)process.kill(-child.pid,`SIGKILL`);else child.kill(`SIGKILL`)}catch{}}
const MOST_OUTPUT=2**20;
async function finish(child,patience){let output=``;for(const stream of[child.stdout,child.stderr])stream?.setEncoding(`utf8`).on(`data`,text=>{output=(output+text).slice(-MOST_OUTPUT)});let late=false;const timer=setTimeout(()=>{late=true;end(child)},patience);const ending=await new Promise(settle=>{child.once(`error`,({message})=>settle(`could not be started: ${message}`));child.once(`close`,(status,signal)=>settle(describeEnding(status,signal)))});clearTimeout(timer);const failure=late?`took more than ${patience/1e3} seconds`:ending;return{complaints:readComplaints(output),failure,words:findWords(output)}}
const NAMELESS=/^(.+?)\(\d+,\d+\): error TS(?:2527|2742|2883|4\d{3}|7056|9\d{3}): (.*)$/gm;
function readComplaints(output){const found=[...output.matchAll(NAMELESS)].map(([,file=``,message=``])=>{const text=message.trim().replace(/[^'"\s]*\.framework-infer-\w+\//g,``);return[file.replaceAll(`\\`,`/`),text]});return new Map(found.reverse())}
function describeEnding(status,signal){if(signal!==null)return`was ended by ${signal}`;return status!==null&&status>2?`ended with status ${status}`:void 0}
function findWords(output){const lines=output.trim().split(/\s*\n\s*/);return lines.find(line=>/^\w*Error: |error TS\d+: /.test(line))??lines.slice(-3).join(` `)}
const SIGNALS=[`SIGINT`,`SIGTERM`,`SIGHUP`];
function atEnd(run){const onSignal=signal=>{run();if(process.listenerCount(signal)===0)process.kill(process.pid,signal)};process.once(`exit`,run);for(const signal of SIGNALS)process.once(signal,onSignal);return()=>{process.off(`exit`,run);for(const signal of SIGNALS)process.off(signal,onSignal)}}
async function inferResults(sources,options={}){const{root}=sources.project;const wanted=listWanted(sources);if(wanted.size===0)return unknown();const program=findCompiler(root);if(program===void 0)return unknown(notInferred("`typescript` is not installed",`Run \`${nearestLockfile(root)?.command??`npm install`}\``));let workspace;try{workspace=openWorkspace(root,options);const copies=copySources(sources,wanted,workspace.home);workspace.write(copies.texts);return readResults(sources,wanted,copies,await workspace.compile(program,copies.texts.keys()),workspace)}catch(error){return unknown(notInferred(`its copies can't be written: ${explainSystemError(error)}`))}finally{workspace?.close()}}
function notInferred(why,hint="Run `npm run typecheck` to see more"){return diagnose(`FW920`,{why,hint})}
function unknown(...diagnostics){return{inferred:()=>void 0,diagnostics}}
const BLOCKS=/^(?:export )?(?:declare )?(?:abstract )?(?:interface|class) .*\{\n(?: .*\n)*\}\n/gm;
function readResults({types:{modules}},wanted,{hidden},{complaints,failure,words},{home,readDeclarations}){const declarations=new Map([...new Set([...wanted.values()].map(({module})=>module.file))].flatMap(file=>{const text=failure===void 0?readDeclarations(file):void 0;return text===void 0?[]:[[file,parseModule(text.replace(BLOCKS,``),toDeclarationFile(file))]]}));if(declarations.size===0&&complaints.size===0)return unknown(notInferred(`\`tsc\` ${[failure??`wrote nothing`,words].filter(Boolean).join(`: `)}`));const known=new Map;const diagnostics=[];for(const[key,{module,name,location}]of wanted){const found=declarations.get(module.file);const why=complaints.get(module.file);if(!found&&why!==void 0)diagnostics.push(diagnose(`FW922`,{name,why},location));const type=found&&readReturnType(found,name,{module,modules,hidden,home},location);if(type)known.set(key,type)}return{inferred:(file,exported)=>known.get(keyOf(file,exported)),diagnostics}}
export{buildProject,client,inferResults,loadHeldProject,openapi,readDeclared,routesDiff};
