
import{createSha256,findBrokenFile,frameworkPath,frameworkUrl}from"./vendored.js";
import{APPS_FOLDER,APP_CONFIG_FILE,CONFIG_FILE,HOOKS_FILE,MAIN_FILE,MIGRATE_FILE,PACKAGE_FILE,ProjectError,ROUTES_FOLDER,VENDORED_FOLDER,appFiles,closest,codeOf,compareLocations,compareText,createFiles,diagnose,explainSystemError,findAbove,findProjectRoot,hasErrors,isMissing,isSwap,listed,loadEnvironment,mustBeReported,sortDiagnostics,startOf,toRoutePath}from"./shared.js";
import nodeModule from"node:module";
import{closeSync,existsSync,fsyncSync,lstatSync,mkdirSync,openSync,promises,readFileSync,readdirSync,realpathSync,renameSync,rmSync,rmdirSync,unlinkSync,writeFileSync}from"node:fs";
import{basename,dirname,isAbsolute,join,posix,relative,resolve,sep}from"node:path";
import{fileURLToPath,pathToFileURL}from"node:url";
import{ParseError,parseTOML}from"./libraries.js";
import{DEFAULT_SETTINGS,Problem,createProductionLog,escapeControl,isProbe,unescapeKey}from"../runtime/log.js";
import{METHODS,createRouter,int,methodsServed}from"../runtime/routing.js";
import{JSON_MEDIA,findIssuesOf,listWords}from"../runtime/wire.js";
import{stripVTControlCharacters}from"node:util";
import{createDocs,setLaunch}from"../runtime/app.js";
import{firstServer}from"../runtime/node.js";
import{execFile}from"node:child_process";
import{setTimeout as setTimeout$1}from"node:timers/promises";
import{HttpError}from"../runtime/message.js";
import{hostname}from"node:os";
function isRecord(value){return typeof value===`object`&&value!==null&&!Array.isArray(value)}
const RUN_TIME=new Set([`node`,`import`,`module-sync`,`node-addons`,`default`]);
const TYPE_CHECK=new Set([...RUN_TIME,`types`]);
function isAlias(specifier){return specifier.startsWith(`#`)}
function createAliases(read){const packages=new Map;function packageOf(folder){if(packages.has(folder))return packages.get(folder);const text=read(posix.join(folder,PACKAGE_FILE));const above=posix.dirname(folder);const found=text!==void 0?{folder,imports:parseImports(text)}:above===folder?void 0:packageOf(above);packages.set(folder,found);return found}return{find(from,specifier,forTypes=false){const found=packageOf(posix.dirname(from));const target=found&&resolveEntry(found.imports,specifier,forTypes?TYPE_CHECK:RUN_TIME);return found&&target?.startsWith(`./`)?posix.join(found.folder,target):void 0}}}
function parseImports(text){try{const parsed=JSON.parse(text.replace(/^\ufeff/,``));return isRecord(parsed)&&isRecord(parsed.imports)?parsed.imports:{}}catch{return{}}}
function resolveEntry(imports,specifier,conditions){if(specifier.endsWith(`/`))return void 0;if(Object.hasOwn(imports,specifier)&&!specifier.includes(`*`))return resolveTarget(imports[specifier],``,conditions);const pattern=Object.keys(imports).filter(key=>matches(key,specifier)).sort((one,other)=>other.indexOf(`*`)-one.indexOf(`*`)||other.length-one.length)[0];if(pattern===void 0)return void 0;const[before=``,after=``]=pattern.split(`*`);return resolveTarget(imports[pattern],specifier.slice(before.length,specifier.length-after.length),conditions)}
function matches(pattern,specifier){const[before=``,after,...more]=pattern.split(`*`);if(after===void 0||more.length>0)return false;return specifier.length>=pattern.length&&specifier!==before&&specifier.startsWith(before)&&specifier.endsWith(after)}
const REFUSED=/(?:^|[/\\])(?:\.\.?|node_modules)(?:[/\\]|$)/i;
function resolveTarget(target,matched,conditions){if(typeof target===`string`)return REFUSED.test(matched)||REFUSED.test(target.replace(/^\.\//,``))?null:target.replaceAll(`*`,()=>matched);if(Array.isArray(target))return target.map(one=>resolveTarget(one,matched,conditions)).find(one=>one!=null);if(!isRecord(target))return null;return Object.entries(target).filter(([condition])=>conditions.has(condition)).map(([,one])=>resolveTarget(one,matched,conditions)).find(one=>one!==void 0)}
function createAliasFinder(){const aliases=createAliases(readIfThere);return(file,specifier)=>aliases.find(file.replaceAll(sep,`/`),specifier)}
function readIfThere(file){try{return readFileSync(file,`utf8`)}catch{return}}
function createHooks(publicModules,imports){const findFile=imports&&createFileFinder();const missing=Object.values(publicModules).filter(url=>!existsSync(fileURLToPath(url)));const tell=url=>{if(imports&&url!==void 0&&mustBeReported(url,imports.root))imports.onImport(url)};return{resolve(specifier,context,next){const url=Object.hasOwn(publicModules,specifier)?publicModules[specifier]:void 0;if(url!==void 0&&missing.includes(url))throw createMissing(url,context.parentURL);if(url!==void 0)return{url,format:`module`,shortCircuit:true};tell(findFile?.(specifier,context.parentURL));const resolved=next(specifier,context);if(imports)Promise.resolve(resolved).then(found=>tell(found.url)).catch(()=>{});return resolved}}}
function createMissing(url,parentURL=url){const[path,importer]=[url,parentURL].map(one=>one.startsWith(`file:`)?fileURLToPath(one):one);const error=new Error(`Cannot find module '${path}' imported from ${importer}`);return Object.assign(error,{code:`ERR_MODULE_NOT_FOUND`})}
function createFileFinder(){const findAliased=createAliasFinder();return(specifier,parentURL)=>{if(!isAlias(specifier))return/^(?:\.{0,2}\/|file:)/.test(specifier)&&URL.canParse(specifier,parentURL)?new URL(specifier,parentURL).href:void 0;const path=parentURL?.startsWith(`file:`)&&findAliased(fileURLToPath(parentURL),specifier);return path?pathToFileURL(path).href:void 0}}
function locate$1({file},{loc}){return{file,line:loc?.start.line??1,column:(loc?.start.column??0)+1}}
function spanOf({start,end}){return{start:start??0,end:end??0}}
const LONGEST_TEXT=60;
const SPACES=/\s{2,}|[^\S ]/g;
function textOf({text},{start,end}){const from=start??0;const line=text.slice(from,Math.min(end??0,from+240)).replace(SPACES,` `);return line.length>LONGEST_TEXT?`${line.slice(0,LONGEST_TEXT)}…`:line}
function nameOf(node){return node.type===`Identifier`?node.name:node.value}
function pathOf(node){const path=[];for(let end=node;;){if(end.type===`Identifier`)return[...path,end.name].reverse();const[left,right]=end.type===`TSQualifiedName`?[end.left,end.right]:end.type===`MemberExpression`&&!end.computed?[end.object,end.property]:[];if(left===void 0||right?.type!==`Identifier`)return null;path.push(right.name);end=left}}
function namesIn(pattern){switch(pattern?.type){case`Identifier`:return[pattern];case`ObjectPattern`:return pattern.properties.flatMap(property=>namesIn(property.type===`RestElement`?property.argument:property.value));case`ArrayPattern`:return pattern.elements.flatMap(namesIn);case`AssignmentPattern`:return namesIn(pattern.left);case`RestElement`:return namesIn(pattern.argument);default:return[]}}
function nodesIn(value){return Array.isArray(value)?value.filter(isNode):isNode(value)?[value]:[]}
function isNode(value){return typeof value===`object`&&value!==null&&`type`in value&&`start`in value}
const SIGNS=[[/\b(?:enum|module|namespace)(?:\s+[^\s=.,;:)]|\/[*/])/],[/\b(?:import(?:\s+(?:type\s+)?[^\s"'{;=]+)?|export)\s*(?:=|\/[*/])/],[/\bconstructor\b/,/\b(?:override|private|protected|public|readonly)\b/],[/\bclass\b/,/(?:^|\b(?:default|export)|[^\w*\s@"'`])[^\S\n]*@[\w\p{ID_Start}$(]/mu],[/(?:^|[()[{},;:=?!&|^~+*%.>-]|\/(?!(?<=\/[\w.~<> -]*\/)<\w+>(?:[/\s"'`:,.)|\\]|$))|<(?!<)|\b(?:await|case|default|delete|do|else|extends|in|instanceof|new|of|return|throw|typeof|void|yield))[^\S\n]*<\s*[\w\p{ID_Start}$({['"`|&/\\-]/mu]];
function mayBeInerasable(text){return SIGNS.some(signs=>signs.every(sign=>sign.test(text)))}
function findInerasable(statements,source){if(!mayBeInerasable(source.text))return[];const found=[];const waiting=[...statements];for(const node of waiting){const here=inspect(node);if(here!==void 0)found.push({...here,location:locate$1(source,node)});else if(!(`declare`in node&&node.declare))for(const field of Object.values(node))for(const inner of nodesIn(field))waiting.push(inner)}return found.sort((one,other)=>compareLocations(one.location,other.location))}
function inspect(node){switch(node.type){case`TSEnumDeclaration`:return node.declare?void 0:{what:`an enum`,instead:"an object with `as const`"};case`TSModuleDeclaration`:return node.declare||holdsOnlyTypes(node.body)?void 0:{what:`a namespace with code`,instead:`a file of its own`};case`TSImportEqualsDeclaration`:return node.importKind===`type`?void 0:{what:"`import … =`",instead:"`import … from`"};case`TSExportAssignment`:return{what:"`export =`",instead:"`export`"};case`TSParameterProperty`:return{what:`a parameter property`,instead:`a field that the constructor sets`};case`TSTypeAssertion`:return{what:`a type assertion in angle brackets`,instead:"one with `as`"};case`Decorator`:return{what:`a decorator`,instead:`a call of its function`};default:return}}
function holdsOnlyTypes(body){if(body.type===`TSModuleDeclaration`)return holdsOnlyTypes(body.body);if(body.type!==`TSModuleBlock`)return false;return body.body.every(statement=>{const inner=statement.type===`ExportNamedDeclaration`?statement.declaration:statement;if(!inner)return false;if(inner.type===`TSModuleDeclaration`)return holdsOnlyTypes(inner.body);return inner.type===`TSInterfaceDeclaration`||inner.type===`TSTypeAliasDeclaration`})}
function loadEraser(){return import("./sucrase.js")}
async function eraseTypes(url,mapColumns){const file=fileURLToPath(url);const source=await promises.readFile(file,`utf8`);if(mayBeInerasable(source))await refuseMistakes(source,url);const{transform}=await loadEraser();try{const{code,sourceMap}=transform(source,{transforms:[`typescript`],keepUnusedImports:true,disableESTransforms:true,...mapColumns&&{filePath:file,sourceMapOptions:{compiledFilename:file}}});return sourceMap?`${code}\n//# sourceMappingURL=${toDataUrl$1(sourceMap)}`:code}catch(error){await refuseMistakes(source,url);throw toSyntaxError(error instanceof Error?error.message:String(error),`${url}:1:1`)}}
async function refuseMistakes(source,url){const[{parseModule},{diagnose}]=await Promise.all([import("./convention.js").then((module)=>({parseModule:module.parseModule})),import("./shared.js").then((module)=>({CATALOGUE:module.CATALOGUE,diagnose:module.diagnose,startOf:module.startOf}))]);const{problems,inerasable}=parseModule(source,url);const[first]=[...inerasable.map(found=>({why:diagnose(`FW318`,found).message,location:found.location})),...problems];if(first===void 0)return;const{why,location}=first;throw toSyntaxError(why,`${url}:${location.line}:${location.column}`)}
function toSyntaxError(why,place){const error=new SyntaxError(why);error.stack=`${place}\n${error.stack}`;return error}
function toDataUrl$1(sourceMap){return`data:application/json;base64,${Buffer.from(JSON.stringify(sourceMap)).toString(`base64`)}`}
const APP_NAME=/^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const LONGEST_APP_NAME=100;
const DEVICE_NAME=/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
function badAppName(name){const why=explainDeviceName(name)??explainHiddenFolder(name);if(why!==void 0)return{why,hint:`Choose another name.`};if(name.length>LONGEST_APP_NAME)return{why:`it is longer than ${LONGEST_APP_NAME} characters`,hint:`Choose a shorter name.`};if(APP_NAME.test(name))return void 0;return{why:`no folder can have that name on every system`,hint:"Use letters, digits, `_` and `-`, and begin with a letter or a digit."}}
function explainDeviceName(name){return DEVICE_NAME.test(name)?`Windows reserves it for a device`:void 0}
function explainHiddenFolder(name){switch(name.toLowerCase()){case`node_modules`:return`Node does not erase types in a folder of that name, and .gitignore excludes it`;case`dist`:return".gitignore excludes a folder of that name, and `framework dev` does not watch it";default:return}}
const PATH_SEGMENT=/^[\p{L}\p{N}\p{M}\-._~!$&'()*+,;=:@]+$/u;
const PREFIX_SEGMENT=/^[A-Za-z0-9\-._~!$&'()*+,;=:@]+$/;
function parsePrefix(prefix){if(prefix===``||prefix===`/`)return[];const path=prefix.replace(/^[a-z]+:\/\/[^/]*/i,``);const segments=path.split(`/`).filter(segment=>segment!==``);const hint=`Did you mean \`${formatPrefix(segments.filter(segment=>PREFIX_SEGMENT.test(segment)&&!isDots(segment)))}\`?`;const wrong=why=>({why,hint});if(path!==prefix)return wrong(`it is a whole URL, but a prefix is only a path`);if(prefix.includes(`//`))return wrong("it has an empty segment (`//`), but no path has one");if(!prefix.startsWith(`/`))return wrong(`it does not begin with a slash`);if(prefix.endsWith(`/`))return wrong(`it ends with a slash`);if(segments.some(isDots))return wrong(`it has a dot segment, which no request can reach`);const bad=segments.find(segment=>!PREFIX_SEGMENT.test(segment));if(bad===void 0)return segments;return{why:`it has \`${bad}\`, ${/[<>[\]{}]/.test(bad)?`but a prefix is fixed text and has no params`:`which a path would have to encode`}`,hint:"Use letters, digits, `-`, `_`, `.` and `~`."}}
function formatPrefix(segments){return`/${segments.join(`/`)}`}
function isDots(segment){return segment===`.`||segment===`..`}
function formatPattern(segments,trailingSlash){if(segments.length===0)return`/`;return`/${segments.map(segment=>typeof segment===`string`?encodeStatic(segment):`<${segment.name}>`).join(`/`)}${trailingSlash?`/`:``}`}
function encodeStatic(text){if(PATH_SEGMENT.test(text))return text;return[...text].map(char=>PATH_SEGMENT.test(char)?char:encodeURIComponent(char)).join(``)}
const METHOD_WORDS=METHODS.map(method=>method.toLowerCase());
const SYNONYMS=new Map([[`fetch`,`get`],[`retrieve`,`get`],[`list`,`get`],[`create`,`post`],[`update`,`put`],[`remove`,`delete`],[`destroy`,`delete`],[`del`,`delete`]]);
const OTHER_WORDS=new Set([`path`,`pot`,`option`,`deleted`]);
const CAMEL_CASE=/^([A-Za-z]+?)([A-Z][\s\S]*)$/;
function suggestHandlerName(name){const lower=name.toLowerCase();if(METHOD_WORDS.includes(lower)||lower===`del`)return`${meantMethod(lower)}_index`;const underscore=name.indexOf(`_`);if(underscore>0){const method=meantMethod(name.slice(0,underscore));if(method!==void 0)return`${method}${name.slice(underscore)}`}const camel=CAMEL_CASE.exec(name);const[word,rest]=[camel?.[1],camel?.[2]];if(word===void 0||rest===void 0||!METHOD_WORDS.includes(word.toLowerCase()))return void 0;return`${word.toLowerCase()}_${snakeCase(rest)}`}
function meantMethod(word){const lower=word.toLowerCase();if(METHOD_WORDS.includes(lower))return lower;if(OTHER_WORDS.has(lower))return void 0;return SYNONYMS.get(lower)??METHOD_WORDS.find(method=>isSlip(lower,method))}
function isSlip(word,method){if(isSwap(word,method))return true;if(word.replace(/(.)\1/,`$1`)===method)return true;if(method.length>=6&&Math.abs(word.length-method.length)<=1)return closest(word,[method])!==void 0;return method.length>=4&&method!==`head`&&withoutOneVowel(method).includes(word)}
function withoutOneVowel(word){return[...word.matchAll(/[aeiou]/g)].map(({index})=>word.slice(0,index)+word.slice(index+1))}
function snakeCase(camelCase){return camelCase.replace(/([a-z0-9])([A-Z])/g,`$1_$2`).replace(/([A-Z])([A-Z][a-z])/g,`$1_$2`).toLowerCase()}
function suggestMethodExport(name){const word=name.includes(`_`)?name.slice(0,name.indexOf(`_`)):name;const lower=word.toLowerCase();const exact=METHODS.find(method=>method.toLowerCase()===lower);if(exact!==void 0)return exact;if(word!==name)return void 0;return METHODS.find(method=>method!==`OPTIONS`&&isSwap(lower,method.toLowerCase()))}
const INDEX=`index`;
const PLACED=`$`;
const METHOD_BY_WORD=new Map(METHODS.map(method=>[method.toLowerCase(),method]));
const HANDLER_NAME=/^([a-z]+)_(.*)$/s;
const HANDLER_SEGMENT=/^[\p{ID_Continue}$]+$/u;
const IDENTIFIER=/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
function badName(why,hint,kind=`text`){return{kind,why,hint}}
function isBadName(value){return typeof value===`object`&&value!==null&&`why`in value}
function parseHandlerName(name,params=[]){const match=HANDLER_NAME.exec(name);const method=METHOD_BY_WORD.get(match?.[1]??``);const endpoint=match?.[2];if(method===void 0||endpoint===void 0)return noMethod(name);if(endpoint===INDEX)return{method,segments:[]};const words=endpoint.split(`_`);const bad=words.find(word=>word!==``&&!HANDLER_SEGMENT.test(word));if(bad!==void 0)return badWord(bad);const segments=placeParams(words,params);if(isBadName(segments))return segments;if(segments.includes(``))return emptySegment(method,segments);return repeatedParam(segments)??{method,segments}}
function methodOf(name){return parseMethodExport(name)??METHOD_BY_WORD.get(HANDLER_NAME.exec(name)?.[1]??``)}
function isHandlerName(name){const parsed=parseHandlerName(name);return!isBadName(parsed)||parsed.kind===`param`}
function formatHandlerName({method,segments},params=paramsIn(segments)){const word=method.toLowerCase();if(segments.length===0)return`${word}_${INDEX}`;if(segments.length===1&&segments[0]===INDEX)return badName(`\`${word}_${INDEX}\` serves the root of the app, so no handler name can serve \`/${INDEX}\``,`Serve it from a file: routes/…/${INDEX}/${INDEX}.ts.`);if(segments.includes(``))return emptySegment(method,segments);const bad=segments.find(segment=>typeof segment===`string`&&!isStaticWord(segment));if(typeof bad===`string`)return badWord(bad);const name=`${word}_${segments.map(toEndpointWord).join(`_`)}`;const back=parseHandlerName(name,params);if(isBadName(back))return back;return isSamePath(back.segments,segments)?name:ambiguousName(name,back.segments)}
function isStaticWord(text){return HANDLER_SEGMENT.test(text)&&!text.includes(`_`)&&!text.startsWith(PLACED)}
function toEndpointWord(segment){return typeof segment===`string`?segment:`${PLACED}${segment.param}`}
function paramsIn(segments){return segments.flatMap(segment=>typeof segment===`string`?[]:[segment.param])}
function isSamePath(one,other){return one.map(toEndpointWord).join(`/`)===other.map(toEndpointWord).join(`/`)}
function placeParams(words,params){const segments=[];for(let rest=words;rest.length>0;){const[word=``]=rest;const isPlaced=word.startsWith(PLACED);const param=isPlaced?findPlaced(rest,params):void 0;if(isPlaced&&param===void 0)return noSuchParam(rest,params);segments.push(param===void 0?word:{param});rest=rest.slice(param?.split(`_`).length??1)}return segments}
function findPlaced(words,params){const text=`${words.join(`_`)}_`;return params.filter(param=>text.startsWith(`${toEndpointWord({param})}_`)).sort((one,other)=>other.length-one.length)[0]}
function noSuchParam(words,params){const next=words.findIndex((word,index)=>index>0&&word.startsWith(PLACED));const run=next<0?words:words.slice(0,next);const names=run.map((_,index)=>run.slice(0,index+1).join(`_`).slice(1));const meant=names.toReversed().flatMap(name=>closest(name,params)??[])[0];const why=`\`${run.join(`_`)}\` places a param, but no parameter has that name`;if(meant!==void 0)return badName(why,`Did you mean \`${PLACED}${meant}\`?`,`param`);const[name=``]=names;const bad=badParamName(name);if(bad===void 0)return{...badName(why,`Add the parameter \`${name}: string\`, or remove the \`${PLACED}\`.`,`param`),missing:name};return badName(name===``?"A `$` needs the name of a param after it":bad.why,"Write a param of the handler after the `$`, as in `get_$id(id: int)`.",`param`)}
function ambiguousName(name,segments){return badName(`\`${name}\` would be read as /${segments.map(segment=>typeof segment===`string`?segment:`<${segment.param}>`).join(`/`)}`,`Give one of the params another name, or serve the path from a file.`)}
function noMethod(name){const suggestion=suggestHandlerName(name);const hint=suggestion===void 0?`Begin it with one of ${[...METHOD_BY_WORD.keys()].join(`, `)} and a \`_\`.`:`Did you mean \`${suggestion}\`?`;return badName(`\`${name}\` does not begin with a method`,hint,`method`)}
function emptySegment(method,segments){const words=[method.toLowerCase(),...segments.map(toEndpointWord)];const kept=words.filter(word=>word!==``);if(kept.length===1)kept.push(INDEX);return badName(`\`${words.join(`_`)}\` has an empty segment: each \`_\` is a slash, and no path has \`//\``,`Did you mean \`${kept.join(`_`)}\`? A segment with a \`_\` in it needs a file under routes/.`)}
function badWord(word){return badName(`A function's name can't contain the segment \`${word}\``,isBadName(toRouteSegment(word))?"Use letters, digits and `$`, with `_` between segments.":`Serve it from a file instead: routes/…/${word}.ts.`)}
function parseRouteFile(path){if(!isRouteFile(path))return void 0;const names=path.slice(0,-3).split(`/`);const index=names.at(-1)===INDEX;const segments=[];for(const name of index?names.slice(0,-1):names){const segment=toRouteSegment(name);if(isBadName(segment))return segment;segments.push(segment)}const repeated=repeatedParam(segments);if(repeated)return repeated;return index&&hasTwoFiles(segments)?{segments,index:true}:{segments}}
function formatRouteFile({segments,index}){for(const segment of segments){const name=toFileName(segment);const back=toRouteSegment(name);if(isBadName(back))return back;if(name.startsWith(`_`)||name.startsWith(`.`))return hiddenName(name);if(typeof segment===`string`&&typeof back!==`string`)return badSegment(name)}const repeated=repeatedParam(segments);if(repeated)return repeated;const names=segments.map(toFileName);if(index||!hasTwoFiles(segments))names.push(INDEX);return`${names.join(`/`)}.ts`}
function hasTwoFiles(segments){const last=segments.at(-1);return last!==void 0&&last!==INDEX&&isRouteFile(`${toFileName(last)}.ts`)}
function isRouteFile(path){if(!path.endsWith(`.ts`)||/\.(d|test|spec)\.ts$/.test(path))return false;return path.split(`/`).every(name=>!name.startsWith(`_`)&&!name.startsWith(`.`))}
function toFileName(segment){return typeof segment===`string`?segment:`[${segment.param}]`}
function toRouteSegment(name){const device=explainDeviceName(name);if(device)return badName(`\`${name}\` can't be the name of a file: ${device}`,`Choose another name.`);if(!name.includes(`[`)&&!name.includes(`]`))return PATH_SEGMENT.test(name)?name:badSegment(name);const param=/^\[([^[\]]*)\]$/.exec(name)?.[1];if(param===void 0||param.startsWith(`.`))return badBrackets(name);return badParamName(param)??{param}}
function badSegment(name){return badName(name===``?`A path can't have an empty segment`:`\`${name}\` has a character that a path would have to encode`,"Use letters, digits, `-`, `_`, `.` and `~`.")}
const WORD=/[\p{ID_Start}$_][\p{ID_Continue}$]*/u;
const WORD_IN_BRACKET=new RegExp(`(?<=\\[\\W*)${WORD.source}`,`u`);
function badBrackets(name){const[inner]=WORD_IN_BRACKET.exec(name)??WORD.exec(name)??[`id`];return badName(`\`${name}\` mixes brackets with other text: a param is one whole segment, never optional or catch-all`,`Did you mean \`[${inner}]\`?`)}
function badParamName(param){if(param===`request`)return badName("A param can't be named `request`: a parameter of that name is the request","Name the param after its value, such as `[request_id]`.");if(RESERVED_WORDS.has(param))return badName(`\`${param}\` is a reserved word, so no parameter can have that name`,`Choose another name, such as \`${param}_id\`.`);if(IDENTIFIER.test(param))return void 0;return badName(`\`${param}\` can't be the name of a parameter, so no handler could receive the param`,"Use letters, digits and `_`, and begin with a letter, as in `[item_id]`.")}
function repeatedParam(segments){const params=paramsIn(segments);const repeated=params.find((param,position)=>params.indexOf(param)!==position);if(repeated===void 0)return void 0;return badName(`The param \`${repeated}\` appears twice in the path`,`Give each param of a path its own name.`)}
function hiddenName(name){if(isDots(name))return badName(`\`${name}\` is a dot segment, which no request can reach`,`Leave it out of the path.`);return badName(`Files and folders that begin with \`_\` or \`.\` are not routes, so no file can serve \`${name}\``,PREFIX_SEGMENT.test(name)?`Serve it from an app whose prefix ends in \`/${name}\`.`:`Choose another name.`)}
function parseMethodExport(exportName){return exportName===`del`?`DELETE`:METHOD_BY_WORD.get(exportName)}
function formatMethodExport(method){return method===`DELETE`?`del`:method.toLowerCase()}
function isFunctionName(name){return IDENTIFIER.test(name)&&!RESERVED_WORDS.has(name)}
const RESERVED_WORDS=new Set(`arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield`.split(` `));
function projectModules(project){const{routes,unmatched}=project;const views=viewsOf(project);const serving=servingFiles(project);const byFile=new Map;for(const file of[...hooksFiles(project),...serving])byFile.set(file,new Map);for(const one of[...routes.flatMap(functionsOf),...unmatched?hooksOf(unmatched):[]]){const known=byFile.get(one.module)??new Map;byFile.set(one.module,known);if(!known.has(one.exported))known.set(one.exported,one)}return[...byFile].map(([file,functions])=>({file,functions:[...functions.values()],isHandlerName:nameTest(file,views.has(file))}))}
function viewsOf({apps}){return new Map(apps.map(app=>[appFiles(app.name).views,app]))}
function servingFiles(project){const views=viewsOf(project);return project.files.filter(file=>views.has(file)||servesAsRouteFile(file))}
function splitProject(project){const views=viewsOf(project);const hooks=hooksFiles(project);const routes=new Map(servingFiles(project).map(file=>[file,[]]));for(const route of project.routes)routes.get(route.module)?.push(route);return new Map([...routes].map(([file,served])=>{const app=views.get(file);const around=hooks.filter(hooksFile=>file.startsWith(toFolder(hooksFile)));return[file,{...project,apps:app?[app]:[],files:[...around,file],routes:served}]}))}
function nameTest(file,isViews){if(isViews)return isHandlerName;return servesAsRouteFile(file)?name=>parseMethodExport(name)!==void 0:()=>false}
function servesAsRouteFile(file){const path=toRoutePath(file);const parsed=path===void 0?void 0:parseRouteFile(path);return parsed!==void 0&&!isBadName(parsed)}
function functionsOf(route){const{calls,handler,hooks,location,module}=route;return[{module,exported:handler,role:`handler`,location},...calls.map(call=>toFunction(call,call.kind)),...hooks.flatMap(hooksOf)]}
function hooksOf({middleware,error}){return[...middleware?[toFunction(middleware,`middleware`)]:[],...error?[toFunction(error,`error hook`)]:[]]}
function toFunction({module,exported,location},role){return{module,exported,role,location}}
function hooksFiles({files,routes}){return files.filter(file=>file===`_hooks.ts`||file.endsWith(`/${`_hooks.ts`}`)).filter(file=>file===`_hooks.ts`||routes.some(route=>isAround(file,route))).sort((one,other)=>compareText(toFolder(one),toFolder(other)))}
function isAround(file,{module}){return module.startsWith(toFolder(file))}
function toFolder(file){return file.slice(0,-HOOKS_FILE.length)}
function toRoute(typed){const{method,pattern,segments,arguments:given,handler,module,app,convention,location}=typed;return{method,pattern,segments,arguments:given,handler,module,app,convention,location}}
function findExport(modules,{module,exported}){return modules.get(module)?.[exported]}
function compareExports({file,functions,exports,isHandlerName}){const missing=functions.filter(({exported})=>typeof exports[exported]!==`function`);const unexpected=Object.keys(exports).filter(name=>typeof exports[name]===`function`&&isHandlerName(name)).filter(name=>!functions.some(({exported,role})=>role===`handler`&&exported===name)).map(name=>diagnoseUnread(name,file));return[...missing.map(diagnoseMissing$1),...unexpected]}
function diagnoseMissing$1({module,exported:name,location}){return diagnose(`FW501`,{name,module,where:`in its source, but not when it is loaded`},location)}
function compareHooks(project,modules){return hooksFiles(project).flatMap(file=>{const exports=modules.get(file)??{};return HOOKS.filter(name=>typeof exports[name]===`function`).filter(name=>!isBound(boundAround(project,file,name),exports[name],modules)).map(name=>diagnoseUnread(name,file))})}
function diagnoseUnread(name,file){return diagnose(`FW501`,{name,module:file,where:`when it is loaded, but not in its source`},startOf(file))}
const HOOKS=[`guard`,`middleware`,`error`];
function boundAround({routes,unmatched},file,name){const bound=routes.filter(route=>isAround(file,route)).map(functionsOf);return file===`_hooks.ts`&&name!==`guard`?[...bound,unmatched?hooksOf(unmatched):[]]:bound}
function isBound(bound,hook,modules){return bound.every(functions=>functions.some(one=>findExport(modules,one)===hook))}
async function loadHooks({routes,unmatched},find){if(unmatched===void 0&&routes.every(({hooks})=>hooks.length===0))return()=>void 0;const{chainHooks}=await import("../runtime/hooks.js");const made=new Map;return hooks=>{if(hooks.length===0)return void 0;const folders=hooks.map(({folder})=>folder).join(`
`);const chain=made.get(folders)??chainHooks(hooks.map(folder=>bindHooks(folder,find)));made.set(folders,chain);return chain}}
function bindHooks({folder,middleware,error},find){return{folder,...middleware&&{middleware:find(middleware)},...error&&{error:find(error)}}}
function isOwnFile(root,file){const path=toPath(root,file);return isAbsolute(file)&&!isAbsolute(path)&&!path.startsWith(`../`)&&!/^(?:vendor|node_modules)\//.test(path)&&packageOf(path)===void 0}
function packageOf(file){const[,inside]=/^.*[\\/]node_modules[\\/](.*)$/s.exec(file)??[];return inside===void 0?void 0:packageName(inside.split(sep).join(`/`))}
function packageName(source){return/^(?:@[^/]+\/)?[^/]+/.exec(source)?.[0]??source}
function toPath(root,file){return relative(root,file).split(sep).join(`/`)}
function locateOffset(file,text,offset){const lines=text.slice(0,offset).split(`
`);return{file,line:lines.length,column:(lines.at(-1)??``).length+1}}
const FAILURES=[/Cannot find (?:module|package) '(?<imported>.+?)' imported from (?<importer>.+)$/,/Directory import '(?<imported>.+?)' is not supported .* imported from (?<importer>.+)$/,/Package import specifier "(?<imported>[^"]+)" .* imported from (?<importer>.+)$/,/Module "(?<imported>[^"]+)" needs an import attribute/,/Unknown file extension "[^"]*" for (?<imported>.+)$/,/Invalid module "(?<imported>[^"]+)" .* imported from (?<importer>.+)$/,/No such built-in module: (?<imported>\S+)/,/Received protocol '(?<imported>[^']+:)'/];
function locateFailedImport(root,modules,file,why){const{imported,importer}=FAILURES.map(pattern=>pattern.exec(why)?.groups).find(Boolean)??{};if(imported===void 0)return void 0;const entry=[importer??``,imported].map(frameworkEntryOf).find(Boolean);if(entry)return locateImport(modules,file,({text})=>text===entry);if(importer!==void 0&&!isOwnFile(root,importer))return void 0;return locateImport(modules,importer===void 0?file:toPath(root,importer),({text,location})=>leadsTo(root,modules,location.file,text,imported))}
function frameworkEntryOf(file){const framework=frameworkPath();if(!file.startsWith(framework))return void 0;const[entry]=file.slice(framework.length).split(/\.js$|[\\/]/);return`framework/${entry}`}
function locateImport(modules,first,isMeant){for(const source of importsFrom(modules,first))if(isMeant(source))return source.location}
function*importsFrom(modules,first){const files=new Set([first]);for(const file of files)for(const source of modules.get(file)?.sources??[]){yield source;const next=modules.resolve(file,source.text);if(next!==void 0)files.add(next)}}
function leadsTo(root,modules,file,specifier,imported){const target=targetOf(root,modules,file,specifier);if(target!==void 0)return target===(isAbsolute(imported)?pathToFileURL(imported).href:imported);return specifier===imported||specifier.startsWith(imported.endsWith(`:`)?imported:`${imported}/`)}
function targetOf(root,modules,file,specifier){if(isAlias(specifier)){const path=modules.locate(file,specifier);return path===void 0?void 0:pathToFileURL(join(root,path)).href}return/^(?:\.{1,2})?\/(?!\/)/.test(specifier)?new URL(specifier,pathToFileURL(join(root,file))).href:void 0}
const PLACE=/(?:^|\(|\bat (?:async )?)(file:\/\/.+?|[/\\].+?|[A-Za-z]:[/\\].+?):(\d+)(?::(\d+))?(?=\)|$)/gm;
function locateThrown(root,error){return readPlaces(stackOf(error)).flatMap(({file,...place})=>isOwnFile(root,file)?[{file:toPath(root,file),...place}]:[])}
function readPlaces(stack){return[...stack.matchAll(PLACE)].flatMap(([,place=``,line,column])=>{const file=place.startsWith(`file:`)?readUrl(place):place;if(file===void 0)return[];return{file,line:Number(line),column:Number(column??readMark(stack)??1)}})}
function isInStack(error,packageName){return stackOf(error).replaceAll(`\\`,`/`).includes(`/node_modules/${packageName}/`)}
function stackOf(error){return error instanceof Error?error.stack??``:``}
function readMark(stack){const[,before]=/^.+\n(?:.*\n){1,4}?([ \t]*)\^+[ \t]*\n/.exec(stack)??[];return before===void 0?void 0:before.length+1}
function readUrl(url){try{return fileURLToPath(url)}catch{return}}
async function readModules(root){const{createModules}=await import("./convention.js").then((module)=>({createModules:module.createModules}));return createModules(createFiles(root))}
async function toLoadFailure(root,file,error){const stack=locateThrown(root,error);const modules=await readModules(root);const[thrown]=stack;const module=error instanceof SyntaxError&&thrown?modules.get(thrown.file):void 0;const inerasable=module&&diagnoseInerasable(module);if(inerasable)return inerasable;const why=explain$3(error);const told=locateFailedImport(root,modules,file,why)??await locateData(root,why);if(told!==void 0)return diagnose(`FW503`,{module:told.file,why},told);const bad=module&&diagnoseSyntax(module);if(bad)return bad;if(thrown!==void 0)return diagnose(`FW503`,{module:stack.at(-1)?.file??file,why},thrown);const place=await findThrower(root,modules,file,error);return diagnose(`FW503`,{module:place.file,why},place)}
async function placeLoadFailure(root,file,error){return error instanceof SyntaxError||locateFailedImport(root,await readModules(root),file,explain$3(error))!==void 0?new ProjectError(root,[await toLoadFailure(root,file,error)]):error}
async function findThrower(root,modules,first,error){const visited=new Set;return descend(first);async function descend(file){visited.add(file);const sources=modules.get(file)?.sources??[];for(const{text}of sources){const next=modules.resolve(file,text);if(next===void 0||visited.has(next))continue;if(await throwsSame(join(root,next),error))return descend(next)}return sources.find(({text})=>isInStack(error,packageName(text)))?.location??{file,line:1,column:1}}}
async function throwsSame(path,error){try{await import(pathToFileURL(path).href);return false}catch(thrown){return thrown===error}}
function explain$3(error){return error instanceof Error?`${error.name}: ${error.message}`:String(error)}
function diagnoseInerasable({inerasable:[first]}){return first&&diagnose(`FW318`,first,first.location)}
function diagnoseSyntax({file,problems:[first]}){return first&&diagnose(`FW503`,{module:file,why:`SyntaxError: ${first.why}`},first.location)}
async function locateData(root,why){const[,path=``]=/^SyntaxError: (.+?\.json): /.exec(why)??[];const file=toPath(root,path);const text=path===``?void 0:createFiles(root).read(file);if(text===void 0)return void 0;const{isBadJson,parseJson}=await import("./commands.js").then((module)=>({isBadJson:module.isBadJson,parseJson:module.parseJson}));const read=parseJson(text,file);return isBadJson(read)?read.location:read.lax??{file,line:1,column:1}}
const COMMANDS=[[`pnpm-lock.yaml`,`pnpm install`],[`yarn.lock`,`yarn install`],[`bun.lock`,`bun install`],[`bun.lockb`,`bun install`],[`package-lock.json`,`npm install`]];
function isLockfile(name){return COMMANDS.some(([file])=>file===name)}
function nearestLockfile(root){const[nearest]=COMMANDS.flatMap(([file,command])=>{const folder=findAbove(root,file);return folder===void 0?[]:{folder,path:join(folder,file),command}}).sort((one,other)=>other.folder.length-one.folder.length);return nearest}
function diagnoseOther(root,folder,location){const own=join(root,VENDORED_FOLDER);const real=realpathSync(folder);if(!real.split(sep).join(`/`).endsWith(`/${`vendor/framework`}`)||!existsSync(own)||realpathSync(own)===real)return void 0;const command=nearestLockfile(root)?.command??`npm install`;return diagnose(`FW845`,{folder:toPath(realpathSync(root),real),command},location)}
const NAME=`framework/wire.js`;
async function loadWire({root,routes,definitions},find,adapt=inputs=>inputs){if(routes.every(({calls,takes})=>takes.length+calls.length===0))return()=>void 0;const[{inputsKey},{writeWireModule},{toServe}]=await Promise.all([import("./convention.js").then((module)=>({formatAccess:module.formatAccess,formatExport:module.formatExport,formatKey:module.formatKey,hasInputs:module.hasInputs,inputsKey:module.inputsKey,toLocal:module.toLocal,toPascal:module.toPascal})),import("./convention.js").then((module)=>({writeWireModule:module.writeWireModule})),import("../runtime/wire.js")]);const{routeInputs}=await import(toDataUrl(`${writeWireModule({routes,definitions},{runtime:frameworkUrl(`runtime/wire.js`).href,toSpecifier:file=>toUrl(root,file)})}//# sourceURL=${NAME}\n`));return route=>{const inputs=routeInputs[inputsKey(route)];const calls=route.calls.map(call=>({...call,run:find(call)}));return inputs&&toServe(adapt(inputs,route),calls,route.provided)}}
async function diagnoseSchemas({root,routes}){const diagnostics=[];for(const caller of routes.flatMap(route=>[route,...route.calls]))for(const{shape}of caller.takes)if(shape.kind===`schema`)diagnostics.push(...await diagnoseSchema(root,shape,caller));return diagnostics}
async function diagnoseSchema(root,{file,exported},{location}){try{return isStandardSchema((await import(toUrl(root,file)))[exported])?[]:[diagnose(`FW504`,{name:exported,module:file},location)]}catch(error){return[await toLoadFailure(root,file,error)]}}
function isStandardSchema(value){return(typeof value===`object`&&value!==null||typeof value===`function`)&&`~standard`in value}
function toUrl(root,file){return pathToFileURL(join(root,file)).href}
function toDataUrl(text){return`data:text/javascript;base64,${Buffer.from(text).toString(`base64`)}`}
async function loadProject(stack){const{project}=await readCurrentProject(stack);return loadWhole(project)}
async function readCurrentProject(stack){const root=currentProjectRoot(stack);const{readSources}=await import("./convention.js").then((module)=>({readProject:module.readProject,readSources:module.readSources}));const sources=readSources(root);const{diagnostics}=sources.project;if(hasErrors(diagnostics))throw new ProjectError(root,diagnostics);return sources}
function currentProjectRoot(stack){const main=process.argv[1];const places=[...readPlaces(stack),...main===void 0?[]:[startOf(main)]];for(const{file,...place}of places){const root=file.startsWith(frameworkPath())?void 0:findProjectRoot(dirname(file));if(root===void 0)continue;const other=diagnoseOther(root,frameworkPath(),{file:toPath(root,file),...place});if(other!==void 0)throw new ProjectError(root,[other]);return root}const root=findProjectRoot(frameworkPath())??findProjectRoot(process.cwd());if(root!==void 0)return root;throw new Problem(`There is no framework.toml in ${process.cwd()} or a folder above.`,`Run this in a project.`)}
async function loadWhole(project){const{settings}=project;const{routes,unmatched}=await bindRoutes(project);return{routes,settings,unmatched,cors:await loadCors(project),docs:await loadDocs(project)}}
async function runModule(root,file,onSlow){const[result]=await loadAll(root,[{file,functions:[],isHandlerName:()=>false}],onSlow);if(result&&!isLoaded(result))throw toProjectError(root,[result])}
async function bindRoutes(project,onSlow=console.error,adapt){const{root,unmatched}=project;const results=await loadAll(root,projectModules(project),onSlow);const loaded=results.filter(isLoaded);const failures=results.flatMap(result=>isLoaded(result)?[]:[result]);const modules=new Map(loaded.map(({file,exports})=>[file,exports]));const diagnostics=[...failures,...await diagnoseSchemas(project),...loaded.flatMap(compareExports),...compareHooks(project,modules)];if(diagnostics.length>0)throw toProjectError(root,diagnostics);const find=one=>findExport(modules,one);const findServe=await loadWire(project,find,adapt);const findHooks=await loadHooks(project,find);return{routes:project.routes.map(typed=>{const[serve,chain]=[findServe(typed),findHooks(typed.hooks)];const handler=find({module:typed.module,exported:typed.handler});return{route:toRoute(typed),handler,...serve&&{serve},...chain&&{hooks:chain}}}),unmatched:unmatched&&findHooks([unmatched])}}
const LOAD_FAILURES=new Set([`FW318`,`FW503`]);
function toProjectError(root,diagnostics){const keyOf=({code,locations,message})=>JSON.stringify(LOAD_FAILURES.has(code)?locations:[locations,code,message]);const once=new Map(diagnostics.toReversed().map(diagnostic=>[keyOf(diagnostic),diagnostic]));return new ProjectError(root,sortDiagnostics([...once.values()]))}
async function loadDocs(project){if(!project.settings.docs)return void 0;const{createLiveDocs}=await import("./serve.js").then((module)=>({createLiveDocs:module.createLiveDocs}));return createLiveDocs(project,{dev:false})}
async function loadCors({cors}){if(cors===void 0)return void 0;const{createCors}=await import("../runtime/hooks.js");return createCors(cors)}
function formatSlow(file){return`Still being loaded after 5 seconds: ${escapeControl(file)}. Is there an \`await\` at its top level that never ends?`}
function isLoaded(result){return`exports`in result}
async function loadModule(root,module){try{return{...module,exports:await import(pathToFileURL(join(root,module.file)).href)}}catch(error){return toLoadFailure(root,module.file,error)}}
const SLOW_MS=5e3;
async function loadAll(root,modules,onSlow){const results=[];let current=``;const timer=setTimeout(()=>onSlow(formatSlow(current)),SLOW_MS);try{for(const module of modules){current=module.file;results.push(await loadModule(root,module))}return results}finally{clearTimeout(timer)}}
function differsByCase(one,other){return one!==other&&fold(one)===fold(other)}
function fold(name){return name.normalize().toLowerCase()}
function toDifference(names){return new Set(names.map(name=>name.toLowerCase())).size===1?{by:`by case`,systems:`macOS and Windows`}:{by:`by case or by how accents are written`,systems:`macOS`}}
function diagnoseTwins(folder,entries){const alike=new Map;for(const{name}of entries){const folded=fold(name);alike.set(folded,[...alike.get(folded)??[],`${folder}/${name}`])}return[...alike.values()].filter(files=>files.length>1).map(files=>diagnose(`FW210`,{files,...toDifference(files)},...files.map(startOf)))}
function isRefusal(value){return typeof value===`object`&&value!==null&&`why`in value}
function parseOpenRoute(text){const{word,path}=splitRoute(text.trim());const pattern=toPattern(path);const method=METHODS.find(known=>known===word.toUpperCase())??null;if(path.split(`/`).some(isWildcard))return{why:"a `*` does not match other routes",hint:"List each route as `routes list` prints it."};if(word!==``&&method===null)return badMethod(word,pattern);const route=formatEntry({method,pattern});if(route===text)return{method,pattern};const meant={method,pattern};return{why:`lists print it in another form`,hint:`Did you mean "${route}"?`,meant}}
function formatEntry({method,pattern}){return method===null?pattern:`${method} ${pattern}`}
const METHOD_ALONE=new RegExp(`^(${METHODS.join(`|`)})(/.*|)$`,`is`);
function splitRoute(text){const[,word=``,path=text]=/^([^\s/]+)\s+(.*)$/s.exec(text)??METHOD_ALONE.exec(text)??[];return{word,path}}
function badMethod(word,pattern){const why=`there is no method ${word}`;if(/^(?:\*|all|any)$/i.test(word))return{why,hint:`Did you mean "${pattern}", which is every method?`};const nearest=closest(word,METHODS);if(nearest===void 0)return{why,hint:`The methods are ${listed(METHODS)}.`};return{why,hint:`Did you mean "${nearest} ${pattern}"?`}}
const isWildcard=segment=>/^\*+$/.test(segment);
function toPattern(path){const plain=path.replace(/^[a-z]+:\/\/[^/]*/i,``).replace(/[?#].*$/s,``);const segments=plain.split(`/`).filter(segment=>segment!==``);return formatPattern(segments.map(toSegment),plain.endsWith(`/`))}
const PARAM=/^(?::|[<{[]+(?:\.{3})?(?:(?:int|str|string|path):)?(?=.*[>}\]]$))(?<name>[\p{ID_Continue}$]+)/u;
function toSegment(text){const name=PARAM.exec(text)?.groups?.name;return name===void 0?decode(text):{name,type:`str`}}
function decode(text){try{return decodeURIComponent(text)}catch{return text}}
function parseOrigin(text){const impossible=explainImpossible(text);if(impossible!==void 0)return impossible;const origin=toOrigin(text);if(origin===void 0)return{why:`it is not a URL`,hint:`Write it like this: "https://shop.example"`};if(origin===text)return origin;return{why:`browsers send it in another form`,hint:`Did you mean \`${origin}\`?`}}
function explainImpossible(text){if(text===`null`||/^file:/i.test(text))return{why:"browsers send `null` for files and for sandboxed pages of every site",hint:`Serve the page, as from http://localhost:5173, and list that origin.`};if(text.includes(`*`))return{why:"`*` can't be a part of it",hint:`List each origin. "*" alone is every one.`};if(/[\s,;]/.test(text.trim()))return{why:`it holds a space or a comma`,hint:`Write each on its own: ["https://a.example", "https://b.example"]`}}
const LOCAL=/^(?:localhost|127\.|0\.|\[::1\])/i;
const HOST$1=/^(?:\w[\w.-]*|\[[\da-f:.]+\])(?::\d+)?$/;
function toOrigin(text){const whole=text.trim().replace(/^(https?):\/?(?!\/)/i,`$1://`);const[,scheme,rest=whole]=/^(?:([a-z][a-z\d+.-]*):)?\/\/(.*)$/is.exec(whole)??[];const url=`${scheme??(LOCAL.test(rest)?`http`:`https`)}://${rest}`;if(rest.startsWith(`/`)||!URL.canParse(url))return void 0;const{protocol,host}=new URL(url);return HOST$1.test(host.toLowerCase())?`${protocol}//${host.toLowerCase()}`:void 0}
const EXAMPLE=`Write it like this: "https://api.example" or "/v1"`;
function parseServer(text){const variable=/\{[^}]*\}?/.exec(text)?.[0];if(variable!==void 0)return{why:`\`${variable}\` is not a part of a URL`,hint:`List the URL of each server.`};if(/[\s\\]/.test(text.trim()))return{why:`it holds a space or a backslash`,hint:EXAMPLE};const meant=toServer(text.trim());if(meant===void 0)return{why:`it is neither a URL of http or https nor a path`,hint:EXAMPLE};if(meant===text)return text;return{why:/^https?:\/\/[^/]*@/i.test(text)?`everyone who reads the contract would see the password`:`the path of a route could not follow it`,hint:`Did you mean \`${meant}\`?`}}
function toServer(text){const[bare=``]=text.split(/[?#]/);const scheme=/^(?:\/\/)?(?:localhost\b|127\.|\[::1\])/i.test(bare)?`http`:`https`;const whole=/^\/(?!\/)|^https?:\/\//i.test(bare)?bare:`${scheme}://${bare.replace(/^\/\//,``)}`;if(whole.startsWith(`/`))return whole.replace(/(?<=.)\/+$/,``);if(!/^[^/]+\/\/(?:[^/@]*@)?(?:[\w-]+(?:\.[\w-]+)+|localhost|\[[\da-f:.]+\])(?::\d+)?(?:\/|$)/i.test(whole))return void 0;return URL.canParse(whole)?whole.replace(/(?<=\/\/)[^/]*@/,``).replace(/\/+$/,``):void 0}
const LONGEST_TIMEOUT=2147483;
const LONGEST_MAX_AGE=86400;
const LINE=`one line of 1 to 100 printable characters`;
const EVERY=`*`;
const FLAG={kinds:[`boolean`],wanted:`true or false`,example:`true`,read:value=>value===true};
const SERVER={host:text(`a host name or an address, without a port`,`0.0.0.0`,host=>only(host,isHost(host))),port:number(`a whole number from 0 to 65535`,`8000`,0,65535,[`integer`]),bodyLimit:{kinds:[`integer`,`string`],wanted:`a number of bytes, or a size such as "1 MiB"`,example:`"1 MiB"`,read:value=>typeof value===`string`?parseSize(value):within(value,0,Number.MAX_SAFE_INTEGER)},headersTimeout:timeout(`15`),requestTimeout:timeout(`60`),handlerTimeout:number(`a number of seconds, at most ${LONGEST_TIMEOUT}, or 0 for no limit`,`120`,0,LONGEST_TIMEOUT),keepAliveTimeout:timeout(`65`),shutdownTimeout:timeout(`10`),health:text('a path of letters, digits, `-`, `_`, `.` and `~` without a slash at its end, or "" for none',`/healthz`,path=>only(path,/^(?:\/[\w~-][\w.~-]*)*$/.test(path))),accessLog:FLAG,docs:FLAG};
const CORS={origins:texts(`an array of origins`,`https://shop.example`,one=>one===`*`?one:parseOrigin(one)),credentials:FLAG,maxAge:number(`a whole number of seconds from 0 to ${LONGEST_MAX_AGE}`,`600`,0,LONGEST_MAX_AGE,[`integer`]),expose:texts(`an array of header names`,`X-Total-Count`,name=>only(name,/^[\w!#$%&'*+.^`|~-]+$/.test(name)))};
const EXPOSURE={open:texts(`an array of routes`,`GET /`,parseOpenRoute)};
const CONTRACT={title:text(LINE,`Shop`,readLine),version:text(LINE,`1.0.0`,readLine),description:text(`a text in Markdown`,`Products and orders.`,markdown=>markdown.trim()||void 0),client:text(`the path of a TypeScript file`,`../web/src/api.ts`,path=>only(path,/^[^\p{Cc}]*[^\p{Cc}\\/.]\.[cm]?ts$/u.test(path))),servers:texts(`an array of URLs or paths`,`https://api.example`,parseServer)};
const BUILD={external:texts(`an array of package names`,`sharp`,name=>only(name,isPackageName(name)))};
const DEV={hosts:texts(`an array of host names, without ports`,`app.local`,readHost)};
const APP={name:text(LINE,`Orders`,readLine),prefix:text(`a string`,`/orders`,prefix=>{const segments=parsePrefix(prefix);if(isRefusal(segments))return segments;return segments.length===0?``:formatPrefix(segments)})};
const TABLES={server:SERVER,cors:CORS,exposure:EXPOSURE,contract:CONTRACT,build:BUILD,dev:DEV,app:APP};
function text(wanted,example,read){return{kinds:[`string`],wanted,example:JSON.stringify(example),read:value=>read(String(value))}}
function texts(wanted,example,readText){return{wanted,example,readText}}
function number(wanted,example,least,most,kinds=[`integer`,`float`]){return{kinds,wanted,example,read:value=>within(value,least,most)}}
function timeout(example){return number(`a number of seconds above 0, at most ${LONGEST_TIMEOUT}`,example,.001,LONGEST_TIMEOUT)}
function within(value,least,most){return typeof value===`number`&&value>=least&&value<=most?value:void 0}
function only(text,isRight){return isRight?text:void 0}
function readLine(text){const line=text.trim();return only(line,/^[^\p{Cc}\u2028\u2029]{1,100}$/u.test(line))}
function isHost(text){return/^(?:[\w.-]+|\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(?:%\w+)?\]?)$/.test(text)&&!/^[\w.-]+:\d+$/.test(text)}
const HOST=String.raw`\.?[\w-]+(?:\.[\w-]+)*`;
function readHost(text){if(new RegExp(`^${HOST}$`).test(text))return text;const[,meant]=new RegExp(String.raw`^(?:\w+:\/\/)?\*?(${HOST})\.?(?:[:/]|$)`).exec(text)??[];if(meant===void 0)return void 0;return{why:`it is not a host name without a port`,hint:`Did you mean \`${meant}\`?`}}
function isPackageName(text){return/^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(text)}
const SIZE_UNITS={b:1,kb:1e3,mb:1e3**2,gb:1e3**3,kib:1024,mib:1024**2,gib:1024**3};
function parseSize(text){const match=/^([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([A-Za-z]{0,3})$/.exec(text.trim());const unit=SIZE_UNITS[(match?.[2]||`b`).toLowerCase()];const bytes=Number(match?.[1])*(unit??NaN);return Number.isSafeInteger(bytes)?bytes:void 0}
function parseOnce(parse){const known=new Map;return(text,file)=>{const before=known.get(file);if(before?.text===text)return before.parsed;const parsed=parse(text,file);known.set(file,{text,parsed});return parsed}}
const LARGEST$1=65536;
const BARE_RETURN=/\r(?!\n)/;
const parseToml=parseOnce((text,file)=>{const top=startOf(file);const size=explainSize(text);if(size!==void 0)return diagnose(`FW102`,{why:size},top);const bare=text.search(BARE_RETURN);if(bare>=0){const lines=text.slice(0,bare).split(`
`);const place={file,line:lines.length,column:(lines.at(-1)??``).length+1};return diagnose(`FW102`,{why:`a carriage return has no line feed after it`},place)}try{return toTable(parseTOML(text,{tomlVersion:`1.0`}).body[0].body,file,top)}catch(error){if(error instanceof ParseError)return toDiagnostic(error,text,file);if(error instanceof RangeError)return diagnose(`FW102`,{why:`it is nested too deeply`},top);throw error}});
function explainSize(text){return text.length>LARGEST$1?`it is larger than 64 KiB`:void 0}
function isToml(parsed){return`kind`in parsed}
function describeToml(value){return DESCRIPTIONS[value.kind]}
const DESCRIPTIONS={string:`a string`,integer:`a whole number`,float:`a number with a fraction`,boolean:`true or false`,date:`a date`,array:`an array`,table:`a table`};
function toTable(nodes,file,location){const table={kind:`table`,entries:new Map,location};for(const node of nodes)if(node.type===`TOMLKeyValue`)setKeyValue(table,node,file);else addTable(table,node,file);return table}
function addTable(root,node,file){const path=node.key.keys;const last=path.at(-1);if(last===void 0)return;const parent=openTable(root,path.slice(0,-1),file);const location=locate(last,file);if(node.kind===`array`){const before=parent.entries.get(keyOf(last))?.value;const value={kind:`array`,items:[...before?.kind===`array`?before.items:[],toTable(node.body,file,location)],location};parent.entries.set(keyOf(last),{location,value});return}const table=openTable(parent,[last],file);for(const keyValue of node.body)setKeyValue(table,keyValue,file)}
function setKeyValue(table,node,file){const path=node.key.keys;const last=path.at(-1);if(last===void 0)return;openTable(table,path.slice(0,-1),file).entries.set(keyOf(last),{location:locate(last,file),value:toValue(node.value,file)})}
function openTable(from,path,file){let table=from;for(const key of path){const found=table.entries.get(keyOf(key))?.value;const inner=found?.kind===`array`?found.items.at(-1):found;if(inner?.kind===`table`){table=inner;continue}const location=locate(key,file);const value={kind:`table`,entries:new Map,location};table.entries.set(keyOf(key),{location,value});table=value}return table}
function toValue(node,file){const location=locate(node,file);if(node.type===`TOMLArray`)return{kind:`array`,items:node.elements.map(element=>toValue(element,file)),location};if(node.type===`TOMLInlineTable`)return toTable(node.body,file,location);if(node.kind===`string`||node.kind===`boolean`||node.kind===`float`)return{kind:node.kind,value:node.value,location};if(node.kind===`integer`)return{kind:`integer`,value:Number(node.bigint),location};return{kind:`date`,value:node.datetime,location}}
function keyOf(key){return key.type===`TOMLBare`?key.name:key.value}
function locate(node,file){return{file,line:node.loc.start.line,column:node.loc.start.column+1}}
function toDiagnostic({message,lineNumber:line,column},text,file){const lines=text.split(/\r?\n/);const[before=``,here=``]=[lines[line-2],lines[line-1]];const noValue=column===0&&/^[^#]*=\s*$/.test(before);const noEnd=column===0&&/^Unterminated|on the same line/.test(message);const place=noValue||noEnd&&line>1?{line:line-1,column:before.length+1}:{line,column:column+1};const isHeader=/^\s*\[[^\]]*$/.test(column===0?before:here);const rest=`${here.slice(0,column)}\n${here.slice(column)}`;const why=noValue?`the value is missing`:isHeader&&/on the same line/.test(message)?"the `]` is missing":explain$2(message,rest);return diagnose(`FW102`,{why},{file,...place})}
const HABITS=[[/\n(?:\/\/|;)/,"a comment begins with `#`"],[/\n:/,"an `=` follows a key"],[/\n,/,"a value is missing before the `,`"],[/\n(?:<{7}|={7}|>{7})/,`a merge conflict is not resolved`],[/[=[,]\s*\n[\w/`.-]/,"a text is in quotes, and `true` and `false` are in lower case"]];
function explain$2(message,line){return(/^Unexpected/.test(message)?HABITS.find(([found])=>found.test(line))?.[1]:void 0)??WORDS.get(message)??message.charAt(0).toLowerCase()+message.slice(1)}
const WORDS=new Map([[`Unspecified values are invalid`,`the value is missing`],[`Expected equal (=) token`,"an `=` is missing"],[`Expected comma (,) token`,"a `,` or the closing bracket is missing"],[`Must be a newline`,`a new line must begin here`],[`Defining a key multiple times is invalid`,`the key is already defined`],[`Unterminated table-key`,"the `]` is missing"],[`Unterminated array`,`the array does not end`],[`Unterminated inline table`,"the `}` is missing"],[`Empty bare keys are not allowed`,`the key is missing`],[`Unterminated string constant`,`the string does not end`]]);
function readTable(file,name,diagnostics){const table=file.entries.get(name)?.value;if(table===void 0)return void 0;if(table.kind!==`table`){diagnostics.push(diagnoseValue(name,`a table`,describeToml(table),`[${name}]`,table.location));return}diagnostics.push(...diagnoseUnknownKeys(table,name));const settings=TABLES[name];const given=Object.entries(settings).map(([own,setting])=>{const key=toKey(own);const value=table.entries.get(key)?.value;if(value===void 0)return[own,void 0];const shown={name:key,key:`${name}.${key}`};return[own,`readText`in setting?readList(value,shown,setting,diagnostics):readValue(value,shown,setting,diagnostics)]}).filter(([,value])=>value!==void 0);return Object.fromEntries(given)}
function toKey(name){return name.replace(/[A-Z]/g,letter=>`_${letter.toLowerCase()}`)}
function readValue(value,{name,key},{kinds,wanted,example,read},diagnostics){const scalar=`value`in value?value.value:void 0;const given=scalar!==void 0&&kinds.includes(value.kind)?read(scalar):void 0;if(given!==void 0&&!isRefusal(given))return given;const found=scalar===void 0?describeToml(value):formatScalar(scalar);diagnostics.push(isRefusal(given)?diagnoseRefused(`\`${key}\` can't be \`${shorten$1(String(scalar))}\``,given,value.location):diagnoseValue(key,wanted,found,`${name} = ${example}`,value.location))}
const LONGEST=60;
function shorten$1(text){return text.length>LONGEST?`${text.slice(0,LONGEST)}…`:text}
function formatScalar(value){return typeof value===`string`?JSON.stringify(shorten$1(value)):String(value)}
function readList(value,{name,key},{wanted,example,readText},diagnostics){const report=(wrong,found)=>{const right=wrong.kind===`string`&&wrong===value?String(wrong.value):example;const where=name===`apps`&&wrong.kind===`table`?", above every `[table]`":``;const written=`${name} = [${JSON.stringify(right)}]${where}`;diagnostics.push(diagnoseValue(key,wanted,found,written,wrong.location))};if(value.kind!==`array`){report(value,describeToml(value));return[]}const known=new Map;return value.items.flatMap(item=>{const{location}=item;if(item.kind!==`string`){report(item,`${describeToml(item)} in it`);return[]}const text=String(item.value);const first=known.get(text);known.set(text,first??location);if(first!==void 0){diagnostics.push(diagnose(`FW107`,{key,value:text},location,first));return[]}const read=readText(text);if(read===void 0)report(item,formatScalar(text));if(isRefusal(read))diagnostics.push(diagnoseRefused(`\`${key}\` can't list \`${shorten$1(text)}\``,read,location));const meant=isRefusal(read)?read.meant:read;return meant===void 0?[]:[{value:meant,location}]})}
function diagnoseRefused(what,{why,hint},location){return diagnose(`FW104`,{why:`${what}: ${why}`,hint},location)}
function diagnoseValue(key,wanted,found,example,location){const why=`\`${key}\` must be ${wanted}, but this is ${found}`;return diagnose(`FW104`,{why,hint:`Write it like this: ${example}`},location)}
const KEYS=Object.entries(TABLES).map(([name,settings])=>[name,Object.keys(settings).map(toKey)]);
function diagnoseUnknownKeys({entries,location:{file}},inside){const isProject=file===CONFIG_FILE;const top=isProject?[`apps`,...KEYS.map(([name])=>name).filter(name=>name!==`app`)]:[`app`];const known=inside===void 0?top:KEYS.find(([name])=>name===inside)?.[1]??[];return[...entries].filter(([key])=>!known.includes(key)).map(([key,{location}])=>{const shown=inside===void 0?key:`${inside}.${key}`;const place=findPlace$1(key,inside,isProject);const nearest=closest(key,known)??(top===known&&!isProject?closestInApp(key):void 0);return diagnose(`FW103`,{key:shown,nearest,known,place},location)})}
function closestInApp(key){const nearest=closest(key,Object.keys(TABLES.app));return nearest&&`app.${nearest}`}
function findPlace$1(key,inside,isProject){const table=KEYS.find(([name,keys])=>name===`app`!==isProject&&keys.includes(key));if(table!==void 0)return`below \`[${table[0]}]\``;const other=KEYS.find(([name,keys])=>name!==`app`&&(name===key||keys.includes(key)));if(!isProject)return other&&(other[0]===key?`in ${`framework.toml`}`:`below \`[${other[0]}]\` in ${`framework.toml`}`);if(key===`apps`)return`above \`[${inside}]\`, because all keys below it belong to it`;return other&&`as the table \`[${key}]\``}
const APPS={wanted:`an array of app names`,example:`products`,readText:name=>badAppName(name)??name};
function readConfig(files){const nothing={settings:DEFAULT_SETTINGS,apps:[]};const text=files.read(CONFIG_FILE);if(text===void 0){const diagnostics=files.has(`framework.toml`)?[]:[diagnose(`FW101`,{},startOf(CONFIG_FILE))];return{...nothing,diagnostics}}const file=parseToml(text,CONFIG_FILE);if(!isToml(file))return{...nothing,diagnostics:[file]};const diagnostics=diagnoseUnknownKeys(file,void 0);const server=readTable(file,`server`,diagnostics);const cors=readTable(file,`cors`,diagnostics);const exposure=readTable(file,`exposure`,diagnostics);const contract=readTable(file,`contract`,diagnostics);const build=readTable(file,`build`,diagnostics);const dev=readTable(file,`dev`,diagnostics);const allowed=cors&&toCors(cors,file,diagnostics);const settings=reconcileTimeouts({...DEFAULT_SETTINGS,...server},file,diagnostics);const{location}=file.entries.get(`exposure`)?.value??file;return{settings,...allowed&&{cors:allowed},...exposure&&{exposure:{open:toEntries(exposure.open),location}},...contract&&{contract:toContract(contract)},...build&&{build:{external:toExternal(build.external)}},dev:{hosts:toValues(dev?.hosts)},apps:readApps(files,file.entries.get(`apps`)?.value,diagnostics),diagnostics}}
function toValues(listed=[]){return listed.map(({value})=>value)}
function toEntries(listed=[]){return listed.map(({value,location})=>({...value,location}))}
function toExternal(listed=[]){return listed.map(({value:name,location})=>({name,location}))}
function toContract({servers,...texts}){return{...texts,...servers&&{servers:toValues(servers)}}}
function toCors({origins,credentials=false,maxAge=600,expose},file,diagnostics){const table=file.entries.get(`cors`)?.value;const report=(why,hint,...locations)=>{diagnostics.push(diagnose(`FW104`,{why,hint},...locations.filter(one=>one!==void 0)))};const place=table?.kind===`table`?table.entries.get(`credentials`)?.location:void 0;const lists={origin:origins,header:expose};for(const[what,listed=[]]of Object.entries(lists)){const every=listed.find(({value})=>value===`*`);if(every===void 0)continue;if(listed.length>1)report(`A list with "*" lists others, too`,`Keep "*" alone, or remove it.`,every.location);if(credentials)report(`With \`credentials = true\`, browsers do not take "*" as every ${what}`,`List each ${what}, or remove \`credentials\`.`,every.location,place)}if(table?.kind===`table`&&isEmpty(table.entries.get(`origins`)?.value))report("`[cors]` lists no origin, so no other site can read an answer",`List the sites that may: origins = ["https://shop.example"]. "*" alone is every site.`,table.location);const allowed=toValues(origins);return allowed.length===0?void 0:{origins:allowed,credentials,maxAge,expose:toValues(expose)}}
function isEmpty(list){return list===void 0||list.kind===`array`&&list.items.length===0}
function reconcileTimeouts(settings,{entries},diagnostics){const{headersTimeout,requestTimeout}=settings;if(headersTimeout<=requestTimeout)return settings;const server=entries.get(`server`)?.value;const written=server?.kind===`table`?server.entries.get(`headers_timeout`):void 0;if(written!==void 0){const why=`headers_timeout (${headersTimeout} s) is longer than request_timeout (${requestTimeout} s), which includes it`;diagnostics.push(diagnose(`FW104`,{why,hint:`Make headers_timeout the shorter one.`},written.value.location))}return{...settings,headersTimeout:requestTimeout}}
function readApps(files,listed,diagnostics){const names=listed===void 0?[]:readList(listed,{name:`apps`,key:`apps`},APPS,diagnostics);const isListed=new Set(toValues(names));const entries=files.list(APPS_FOLDER);const folders=new Set(entries.flatMap(({name,kind})=>kind===`folder`?[name]:[]));const unlisted=[...folders].filter(name=>!isListed.has(name)&&looksLikeApp(files,name));const apps=names.flatMap(({value:name,location})=>{const{folder}=appFiles(name);if(folders.has(name)){const{label=name,prefix=`/${name}`}=readAppFile(files,name,location,diagnostics);return[{name,label,folder,prefix,location}]}const test=`tests/${name}.test.ts`;const details={app:name,file:`folder ${folder}/`,nearest:closest(name,unlisted),test:files.has(test)?test:void 0};diagnostics.push(diagnose(`FW109`,details,location));return[]});diagnostics.push(...diagnoseTwins(APPS_FOLDER,entries));for(const app of unlisted)diagnostics.push(diagnose(`FW112`,{app},unlistedPlace(files,app)));return apps}
function looksLikeApp(files,name){if(name.startsWith(`_`)||name.startsWith(`.`))return false;const{config,views}=appFiles(name);return files.has(config)||files.has(views)}
function unlistedPlace(files,app){const{config,views}=appFiles(app);return startOf(files.has(config)?config:views)}
function diagnoseMissing(files,app,file,listed){const names=files.list(appFiles(app).folder).filter(({kind})=>kind===`file`).map(({name})=>name);return diagnose(`FW109`,{app,file,nearest:closest(file,names)},listed)}
function readAppFile(files,app,listed,diagnostics){const{config:file}=appFiles(app);const text=files.read(file);if(text===void 0){if(!files.has(file))diagnostics.push(diagnoseMissing(files,app,APP_CONFIG_FILE,listed));return{}}const toml=parseToml(text,file);if(!isToml(toml)){diagnostics.push(toml);return{}}diagnostics.push(...diagnoseUnknownKeys(toml,void 0));const{name,prefix}=readTable(toml,`app`,diagnostics)??{};return{...name!==void 0&&{label:name},...prefix!==void 0&&{prefix}}}
const MODULES_FOLDER=`node_modules`;
const SPECIFIER=/^((?:@[^/]+\/)?[^/.@#:][^/:]*)(\/.+)?$/;
function isInstalled(file){return file.startsWith(`${MODULES_FOLDER}/`)||file.includes(`/${MODULES_FOLDER}/`)}
function findPackage(files,from,specifier){const[,name,subpath=``]=SPECIFIER.exec(specifier)??[];if(name===void 0)return void 0;const root=files.place(``);for(const folder of foldersAbove(posix.dirname(from),root.split(sep).length)){const place=files.place(posix.join(folder,MODULES_FOLDER,name));const home=relative(root,place).split(sep).join(`/`);const text=files.read(posix.join(home,PACKAGE_FILE));const entry=text===void 0?void 0:entryOf(text,subpath);if(text!==void 0)return entry===void 0?void 0:posix.join(home,entry)}}
function*foldersAbove(start,most){for(let folder=start;;folder=posix.join(folder,`..`)){if(posix.basename(folder)!==MODULES_FOLDER)yield folder;if(folder.split(`/`).filter(part=>part===`..`).length>=most)return}}
function entryOf(text,subpath){const{exports,types,typings,main}=parsePackage(text);if(exports===void 0){if(subpath!==``)return`.${subpath}`;return[types,typings,main,`index`].find(entry=>typeof entry===`string`)}const hasPaths=isRecord(exports)&&Object.keys(exports).every(key=>key.startsWith(`.`));return resolveEntry(hasPaths?exports:{".":exports},`.${subpath}`,TYPE_CHECK)??void 0}
function parsePackage(text){try{const parsed=JSON.parse(text);return isRecord(parsed)?parsed:{}}catch{return{}}}
async function registerThread(publicModules,{keepsColumns:mapColumns=false,imports}){if(mapColumns)process.setSourceMapsEnabled(true);await Promise.all([import("../index.js"),import("./serve.js").then((module)=>({SLOW_MS:module.SLOW_MS,bindRoutes:module.bindRoutes,formatSlow:module.formatSlow,loadCors:module.loadCors,loadProject:module.loadProject,loadWhole:module.loadWhole,readCurrentProject:module.readCurrentProject,runModule:module.runModule,toProjectError:module.toProjectError}))]);const port=imports&&openPort(imports);const data={publicModules,mapColumns,imports:imports&&port&&{root:imports.root,port}};const transferList=port?[port]:[];nodeModule.register(frameworkUrl(`tools/hooks.js`),{data,transferList})}
function openPort({onImport}){const{MessageChannel}=process.getBuiltinModule(`node:worker_threads`);const{port1,port2}=new MessageChannel;port1.on(`message`,onImport).unref();return port2}
const PUBLIC_MODULES={framework:frameworkUrl(`index.js`).href,"framework/http":frameworkUrl(`http.js`).href,"framework/database":frameworkUrl(`database.js`).href};
let registered=false;
async function registerModules(options={}){if(registered)return;registered=true;if(!(`typescript`in process.features&&Boolean(process.features.typescript))||!(`registerHooks`in nodeModule))return registerThread(PUBLIC_MODULES,options);try{nodeModule.registerHooks(createHooks(PUBLIC_MODULES,options.imports))}catch(error){if(!String(error).includes(`Jest`))throw error}}
function shapeOf(segments){return segments.map(segment=>typeof segment===`string`?`=${segment}`:segment.type).join(`/`)}
const COST={method:.5,methodToo:2,param:1,near:1,length:2,other:3};
function isStatic(segment){return typeof segment===`string`}
function costOf(segment,text){if(isStatic(segment))return segment===text?0:closest(text,[segment])===void 0?COST.other:COST.near;return segment.type===`str`||int(text)!==void 0?0:COST.param}
function align(segments,texts,tooMuch){const surplus=segments.length-texts.length;const gap=Math.abs(surplus);if(gap*COST.length>=tooMuch)return void 0;let[best,least]=[void 0,tooMuch];for(let start=Math.min(segments.length,texts.length);start>=0;start--){const pairs=pairUp(start);const cost=pairs.reduce((sum,pair)=>sum+pair.cost,0);if(cost<least)[best,least]=[pairs,cost];if(gap===0)break}return best;function pairUp(start){const end=start+gap;return Array.from({length:Math.max(segments.length,texts.length)},(_,at)=>{const shorter=at<start?at:at-gap;const segment=segments[surplus>0?at:shorter]??``;const text=texts[surplus>0?shorter:at]??``;if(at<start||at>=end)return{segment,text,cost:costOf(segment,text)};return surplus>0?{segment,cost:COST.length}:{text,cost:COST.length}})}}
const MOST_NEAR_MISSES=5;
const TOO_MUCH=7;
const MOST_BEHIND=2;
const MOST_SLIP=2;
function findNearMisses(routes,method,texts,confirm){const candidates=routes.flatMap(route=>{const pairs=align(route.segments,texts,TOO_MUCH);return pairs&&isAlike(pairs)?[toCandidate(route,pairs,method)]:[]}).filter(({cost})=>cost<TOO_MUCH).sort((one,other)=>one.cost-other.cost);const least=candidates[0]?.cost??0;const shapes=new Map;return candidates.filter(({cost})=>cost<=least+MOST_BEHIND).filter(({cost,route})=>{const shape=shapeOf(route.segments);const best=shapes.get(shape)??cost;shapes.set(shape,best);return cost===best}).slice(0,MOST_NEAR_MISSES).map(candidate=>toNearMiss(candidate,method,confirm))}
function toCandidate(route,pairs,method){const serves=route.method===method||method===`HEAD`&&route.method===`GET`;const inPath=pairs.reduce((sum,pair)=>sum+pair.cost,0);return{route,serves,pairs,cost:serves?inPath:inPath+(inPath===0?COST.method:COST.methodToo)}}
function toNearMiss({route,serves,pairs,cost},method,confirm){const differences=toDifferences(pairs);if(!serves)differences.push({kind:`method`,served:route.method,asked:method});return{route,differences,suggestion:confirm(serves&&cost<=MOST_SLIP?repair(pairs):void 0)}}
function isAlike(pairs){return pairs.some(({segment,text,cost})=>isStatic(segment)&&text!==void 0&&cost<=COST.near)||pairs.every(({segment,text})=>segment!==void 0&&!isStatic(segment)&&text!==void 0)}
function toDifferences(pairs){const differences=pairs.flatMap(({segment,text,cost})=>{if(segment===void 0||text===void 0||cost===0)return[];if(isStatic(segment))return[{kind:`text`,text,wanted:segment,near:cost===COST.near}];return[{kind:/^[0-9]+$/.test(text)?`limit`:`digits`,text,param:segment}]});const segments=pairs.flatMap(({segment,text})=>text===void 0&&segment!==void 0?[segment]:[]);const texts=pairs.flatMap(({segment,text})=>segment===void 0&&text!==void 0?[text]:[]);if(segments.length>0)differences.push({kind:`more`,segments});if(texts.length>0)differences.push({kind:`fewer`,texts});return differences}
function repair(pairs){if(pairs.at(-1)?.segment===void 0)return void 0;const fixed=[];for(const{segment,text,cost}of pairs){if(segment===void 0)continue;if(isStatic(segment)&&cost!==COST.other)fixed.push(segment);else if(text!==void 0&&cost===0)fixed.push(text);else return void 0}return`/${fixed.map(encodeText).join(`/`)}`}
function encodeText(text){return encodeURI(text).replace(/[/?#]/g,encodeURIComponent)}
function explain$1(routes,method,path){const router=createRouter(routes.map(route=>({route})));const found=router.find(method,path);if(found.kind===`match`)return toServed(found,method,path);const confirm=meant=>confirmPath(router,method,meant);const miss={kind:found.kind,method,path,allow:[],fault:null,suggestion:null,near:[]};if(found.kind===`bad-path`)return{...miss,status:400,fault:found.reason,suggestion:confirm(readAsBrowser(path))};if(hasEmptySegment(path))return{...miss,status:404,suggestion:confirm(path.replace(/\/{2,}/g,`/`))};const allow=found.kind===`wrong-method`?found.allow:[];if(method===`OPTIONS`&&allow.length>0)return{...miss,status:204,allow};const near=findNearMisses(routes,method,readSegments(path),confirm);return{...miss,status:allow.length>0?405:404,allow,near}}
function hasEmptySegment(path){return path.includes(`//`)}
function explainTarget(routes,health,method,target){const path=target.replace(/[?#].*$/s,``);const miss={method,path,allow:[],fault:null,suggestion:null,near:[]};if(target===`*`&&method===`OPTIONS`)return{...miss,kind:`wrong-method`,status:204,allow:methodsServed(routes)};if(target.includes(`#`)){const suggestion=confirmPath(createRouter(routes.map(route=>({route}))),method,path);return{...miss,kind:`bad-path`,path:target,status:400,suggestion}}return isProbe(health,method,path)?{...miss,kind:`health`,status:200}:explain$1(routes,method,path)}
function toServed({item,values},method,path){const named=item.route.segments.filter(segment=>typeof segment!==`string`).flatMap((param,position)=>{const value=values[position];return value===void 0?[]:[{param,value}]});return{kind:`match`,method,path,route:item.route,values:named}}
function confirmPath(router,method,path){return path!==void 0&&router.find(method,path).kind===`match`?path:null}
function readAsBrowser(path){const base=`http://localhost/`;return URL.canParse(path,base)?new URL(path,base).pathname:void 0}
function readSegments(path){return path.replace(/\/$/,``).split(`/`).slice(1).map(text=>decodeURIComponent(text))}
function formatExplanation(explanation){if(explanation.kind===`match`){const{method,path,route}=explanation;return`${method} ${path} is served by \`${route.handler}\` in ${route.module}.`}const{suggestion,near}=explanation;const summary=formatSummary(explanation);return[suggestion===null?summary:`${summary} Did you mean ${suggestion}?`,...near.map(miss=>`${miss.route.method} ${miss.route.pattern}: ${formatReason(miss)}`)].join(`
`)}
function formatSummary({kind,method,path,status,allow,fault}){switch(kind){case`health`:return`\`health = ${JSON.stringify(path)}\` in framework.toml answers ${method} ${path} before any route: 200, or 503 while the server stops.`;case`bad-path`:return fault??"The server can't read the target: a client never sends a `#` or what follows it.";case`wrong-method`:if(status===204)return formatOptions(path,allow.join(`, `));return`No route serves ${method} ${path}: only ${listed(allow)} ${allow.length===1?`is`:`are`} served there.`;case`no-match`:return hasEmptySegment(path)?"The path has an empty segment (`//`), and no route has one.":`No route serves ${method} ${path}.`}}
function formatOptions(path,allow){return path===`*`?`OPTIONS * asks about the whole server, which answers without a handler: 204, Allow: ${allow}.`:`No handler serves OPTIONS ${path}, so the server answers without one: 204, Allow: ${allow}.`}
function formatReason({differences,suggestion}){const[first]=differences;if(first?.kind===`method`&&differences.length===1)return`The path fits, but the route serves ${first.served} and not ${first.asked}.`;const reason=differences.map(formatDifference).join(`; `);const sentence=reason.charAt(0).toUpperCase()+reason.slice(1);return suggestion===null?`${sentence}.`:`${sentence}: did you mean ${suggestion}?`}
function formatDifference(difference){switch(difference.kind){case`method`:return`the route serves ${difference.served} and not ${difference.asked}`;case`digits`:return`${quote(difference.text)} is not digits, and \`${difference.param.name}\` is int`;case`limit`:return`${quote(difference.text)} is above ${Number.MAX_SAFE_INTEGER}, and \`${difference.param.name}\` is int`;case`text`:return`${quote(difference.text)} is not ${quote(difference.wanted)}${explainCase(difference)}`;case`more`:return`the route has ${countSegments(difference.segments.length)} more, ${listed(difference.segments.map(showSegment))}`;case`fewer`:return`the route has no segment for ${listed(difference.texts.map(quote))}`}}
function explainCase({text,wanted}){return text.toLowerCase()===wanted.toLowerCase()?`, because case counts`:``}
function showSegment(segment){return isStatic(segment)?quote(segment):`\`<${segment.name}>\``}
function countSegments(count){return count===1?`one segment`:`${count} segments`}
const LONGEST_QUOTE=40;
function quote(text){const chars=[...text];return`\`${chars.length>LONGEST_QUOTE?`${chars.slice(0,LONGEST_QUOTE).join(``)}…`:text}\``}
const PAGE_FILES={"page.html":`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="./docs/page.css" />
    <script type="module" src="./docs/page.js"><\/script>
  </head>
  <body>
    <noscript><p>This page needs JavaScript. openapi.json, next to it, is the document that it shows.</p></noscript>
  </body>
</html>
`,"page.css":`/* The look of the docs page: system fonts, one accent colour, light and dark. */

:root {
  color-scheme: light dark;
  --back: light-dark(#ffffff, #14151a);
  --side: light-dark(#f7f7f9, #191a20);
  --box: light-dark(#f4f4f7, #1e1f26);
  --line: light-dark(#e3e3ea, #30313b);
  --edge: light-dark(#83838f, #7d7e8b);
  --text: light-dark(#1f2026, #e9e9ee);
  --quiet: light-dark(#5d5e6b, #a5a6b3);
  --accent: light-dark(#3a45c4, #a4adff);
  --on-accent: light-dark(#ffffff, #14151a);
  --tint: light-dark(#eceefb, #262a45);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
:root[data-theme="light"] {
  color-scheme: light;
}
:root[data-theme="dark"] {
  color-scheme: dark;
}

* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
body {
  display: grid;
  grid-template-columns: 21rem minmax(0, 1fr);
  margin: 0;
  background: var(--back);
  color: var(--text);
  font:
    1rem / 1.6 system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    sans-serif;
  text-size-adjust: 100%;
  overflow-wrap: break-word;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
  border-radius: 4px;
}
h1:focus {
  outline: none;
}

h1,
h2,
h3 {
  margin: 0;
  line-height: 1.3;
}
h1 {
  text-wrap: balance;
  font-size: 1.75rem;
  font-weight: 650;
  letter-spacing: -0.015em;
}
h2 {
  margin: 2.5rem 0 0.75rem;
  font-size: 1.15rem;
  font-weight: 650;
}
h3 {
  font-size: 1rem;
  font-weight: 500;
}
p,
ul,
ol,
dl,
figure,
table {
  margin: 0 0 0.75rem;
}
a {
  color: var(--accent);
  text-underline-offset: 0.2em;
  text-decoration-thickness: 1px;
}
code,
pre,
kbd,
.method,
.path,
textarea {
  font-family: var(--mono);
  font-size: 0.875em;
}
pre {
  margin: 0;
  padding: 0.75rem 1rem;
  overflow: auto;
  scrollbar-width: thin;
  max-height: 28rem;
  background: var(--box);
  border-radius: 6px;
  font-size: 0.8125rem;
  line-height: 1.55;
}
pre code {
  font-size: inherit;
}
var {
  color: var(--accent);
  font-style: normal;
}
.quiet,
.note,
.constraints,
.tag {
  color: var(--quiet);
  font-size: 0.875rem;
}
.note {
  margin-left: 0.25em;
  font-weight: 400;
}
.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

/* The list of operations. */
.side {
  position: sticky;
  top: 0;
  display: flex;
  flex-direction: column;
  height: 100vh;
  background: var(--side);
  border-right: 1px solid var(--line);
}
.side > header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem;
  padding: 1.25rem 1.25rem 0.75rem;
}
.side > header p {
  margin: 0;
}
.side > header button {
  min-height: 1.85rem;
  padding: 0.1rem 0.6rem;
  border-color: var(--line);
  color: var(--quiet);
  font-size: 0.8125rem;
}
.home {
  color: inherit;
  font-weight: 650;
  text-decoration: none;
}
.home:hover {
  text-decoration: underline;
}
.actions {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
}
.menu {
  display: none;
}
.skip {
  position: absolute;
  top: 0.5rem;
  left: 0.5rem;
  z-index: 1;
}
.skip:not(:focus) {
  clip-path: inset(50%);
  pointer-events: none;
}
nav {
  flex: 1;
  scrollbar-width: thin;
  padding: 0 0.75rem 2rem;
  overflow-y: auto;
}
nav ul {
  margin: 0;
  padding: 0;
  list-style: none;
}
.search {
  position: sticky;
  top: 0;
  padding: 0.25rem 0.5rem 0.5rem;
  background: var(--side);
}
.search kbd {
  position: absolute;
  top: 0.7rem;
  right: 1.1rem;
  padding: 0 0.4em;
  border: 1px solid var(--line);
  border-radius: 4px;
  color: var(--quiet);
}
.search input:focus + kbd {
  display: none;
}
.count {
  margin: 0;
  padding: 0 0.5rem;
}
.tag {
  margin: 1.25rem 0 0.25rem;
  padding: 0 0.5rem;
  font-weight: 600;
}
nav li {
  content-visibility: auto;
  contain-intrinsic-size: auto 2rem;
}
nav li a {
  display: flex;
  gap: 0.75rem;
  align-items: baseline;
  padding: 0.3rem 0.5rem;
  border-radius: 6px;
  color: inherit;
  line-height: 1.4;
  text-decoration: none;
}
nav li a:focus-visible {
  outline-offset: -2px;
}
nav li a:hover {
  background: var(--box);
}
nav li a[aria-current] {
  background: var(--tint);
  box-shadow: inset 3px 0 var(--accent);
}
.method {
  flex: none;
  color: var(--accent);
  font-size: 0.75rem;
  font-weight: 700;
  letter-spacing: 0.02em;
}
nav .method {
  width: 3.6rem;
  color: var(--quiet);
  font-size: 0.6875rem;
}
nav [aria-current] .method {
  color: var(--accent);
}
.path {
  min-width: 0;
  font-size: 0.8125rem;
  overflow-wrap: anywhere;
}
nav var {
  color: inherit;
}
.deprecated {
  text-decoration: line-through;
}

/* What is shown. */
main {
  min-width: 0;
  max-width: 90rem;
  padding: 2.5rem clamp(1rem, 4vw, 3.5rem) 6rem;
}
main > header {
  max-width: 48rem;
}
main > header .quiet {
  margin: 0 0 0.25rem;
}
.address {
  margin: 0.5rem 0 0.75rem;
  overflow-wrap: anywhere;
}
.address .method {
  margin-right: 0.35rem;
  padding: 0.2em 0.55em;
  background: var(--tint);
  border-radius: 5px;
  font-size: 0.8125rem;
}
h1.address code {
  font-size: 0.8em;
}
.columns {
  display: grid;
  gap: 0 clamp(1.5rem, 3vw, 3.5rem);
}
.columns > * {
  min-width: 0;
}
.prose {
  max-width: 44rem;
}
.prose > :last-child {
  margin-bottom: 0.5rem;
}
.prose code,
.type-line code,
.notice {
  padding: 0.1em 0.35em;
  background: var(--box);
  border-radius: 4px;
}
.prose pre code {
  padding: 0;
}
.notice {
  padding: 0.5rem 0.75rem;
  border-left: 3px solid var(--accent);
}
blockquote {
  margin: 0 0 0.75rem;
  padding-left: 1rem;
  border-left: 3px solid var(--line);
  color: var(--quiet);
}
table {
  width: 100%;
  border-collapse: collapse;
}
caption {
  padding-bottom: 0.25rem;
  color: var(--quiet);
  font-size: 0.875rem;
  font-weight: 600;
  text-align: left;
}
th,
td {
  padding: 0.6rem 1rem 0.6rem 0;
  border-top: 1px solid var(--line);
  font-weight: 400;
  text-align: left;
  vertical-align: top;
}
thead {
  position: absolute;
  clip-path: inset(50%);
}
tbody th {
  width: 30%;
}
td .prose {
  color: var(--quiet);
  font-size: 0.9375rem;
}
.name {
  font-weight: 650;
}
tbody .note {
  display: block;
  margin: 0;
}
.media {
  margin-bottom: 0.25rem;
  color: var(--quiet);
}
.constraints {
  margin-left: 0.25em;
}
.properties {
  margin: 0 0 0.75rem;
  padding: 0;
  list-style: none;
}
.properties > li {
  padding: 0.4rem 0 0.4rem 1.5rem;
  border-top: 1px solid var(--line);
}
.properties .properties {
  margin: 0.4rem 0 0;
  border-left: 2px solid var(--line);
}
.properties .properties > li {
  padding-left: 1.75rem;
}
.property {
  position: relative;
}
.property .name {
  margin-right: 0.25em;
}
.properties .prose {
  color: var(--quiet);
  font-size: 0.9375rem;
}
.toggle {
  position: absolute;
  left: -1.5rem;
  width: 1.5rem;
  min-height: 1.5rem;
  padding: 0;
  border: 0;
  background: none;
}
.toggle::before,
summary::before {
  content: "";
  display: inline-block;
  width: 0.4rem;
  height: 0.4rem;
  border: solid var(--quiet);
  border-width: 0 2px 2px 0;
  rotate: -45deg;
  transition: rotate 0.15s;
}
.toggle[aria-expanded="true"]::before,
details[open] > summary::before {
  rotate: 45deg;
}
details {
  margin-bottom: 0.5rem;
  padding: 0 1rem;
  border: 1px solid var(--line);
  border-radius: 8px;
}
details[open] {
  padding-bottom: 0.5rem;
}
summary {
  display: grid;
  grid-template-columns: 0.75rem minmax(0, 1fr) auto;
  gap: 0 0.6rem;
  align-items: baseline;
  margin: 0 -1rem;
  padding: 0.6rem 1rem;
  border-radius: 8px;
  cursor: pointer;
  list-style: none;
}
summary::-webkit-details-marker {
  display: none;
}
.status {
  margin-right: 0.35rem;
  font-weight: 700;
}
.plain {
  padding: 0;
  list-style: none;
}
.types {
  columns: 14rem;
  padding: 0;
  list-style: none;
}
.narrow {
  max-width: 28rem;
}

/* Try it. */
.try {
  align-self: start;
}
.field {
  margin-bottom: 0.85rem;
}
.field .quiet {
  margin: 0.25rem 0 0;
}
label {
  display: block;
  margin-bottom: 0.2rem;
  font-size: 0.9375rem;
}
input,
select,
textarea,
button {
  min-height: 2.25rem;
  border: 1px solid var(--edge);
  border-radius: 6px;
  background: var(--back);
  color: inherit;
  font: inherit;
  font-size: 0.9375rem;
}
input,
select,
textarea {
  display: block;
  width: 100%;
  padding: 0.3rem 0.6rem;
}
textarea {
  font-family: var(--mono);
  font-size: 0.8125rem;
  line-height: 1.5;
  resize: vertical;
}
::placeholder {
  color: var(--quiet);
  opacity: 1;
}
button {
  padding: 0.25rem 0.85rem;
  cursor: pointer;
}
button:hover {
  border-color: var(--accent);
}
.main {
  min-width: 6rem;
  background: var(--accent);
  border-color: var(--accent);
  color: var(--on-accent);
  font-weight: 600;
}
.main:hover {
  filter: brightness(1.08);
}
.outcome {
  margin: 1rem 0 0.5rem;
  font-weight: 600;
}
.outcome:empty {
  margin: 0;
}
dl {
  margin: 0;
}
dl div {
  display: grid;
  grid-template-columns: minmax(8rem, 1fr) 2fr;
  gap: 0.75rem;
  padding: 0.2rem 0;
}
dd {
  margin: 0;
  overflow-wrap: anywhere;
}
dl,
dd {
  font-size: 0.875rem;
}
.snippet {
  margin: 1rem 0;
}
figcaption {
  display: flex;
  gap: 0.75rem;
  align-items: center;
  margin-bottom: 0.35rem;
  font-size: 0.875rem;
  font-weight: 600;
}
figcaption button {
  min-height: 1.75rem;
  margin-left: auto;
  padding: 0 0.6rem;
  font-size: 0.8125rem;
  font-weight: 400;
}

@media (min-width: 72rem) {
  .columns {
    grid-template-columns: minmax(0, 1fr) minmax(22rem, 27rem);
  }
  .try {
    margin-top: 2rem;
    padding: 1.25rem;
    border: 1px solid var(--line);
    border-radius: 12px;
  }
  .try h2 {
    margin-top: 0;
  }
}
@media (max-width: 52rem) {
  body {
    display: block;
  }
  .side {
    position: static;
    height: auto;
    border: 0;
    border-bottom: 1px solid var(--line);
  }
  .side > header {
    padding: 0.75rem 1rem;
  }
  .menu {
    display: block;
  }
  nav:not(.open) {
    display: none;
  }
  main {
    padding-top: 1.5rem;
  }
}
@media (max-width: 36rem) {
  table,
  tbody,
  tr,
  tbody th,
  td {
    display: block;
    width: auto;
  }
  tbody tr {
    padding: 0.6rem 0;
    border-top: 1px solid var(--line);
  }
  th,
  td {
    width: auto;
    padding: 0.1rem 0;
    border: 0;
  }
  tbody .note {
    display: inline;
    margin-left: 0.5em;
  }
  summary .quiet {
    grid-column: 2;
  }
}
@media (prefers-reduced-motion: reduce) {
  * {
    transition: none !important;
  }
}
`,"page.js":'function make(tag,attributes={},...children){const element=document.createElement(tag);for(const[name,value]of Object.entries(attributes)){if(value===void 0||value===false)continue;element.setAttribute(name,value===true?``:value)}fill(element,children);return element}function fill(element,children){element.replaceChildren(...flatten(children))}function flatten(children){return children.flatMap(child=>{if(child===void 0||child===false||child===``)return[];return typeof child===`string`||child instanceof Node?[child]:flatten(child)})}let ids=0;function freshId(){ids+=1;return`part-${ids}`}function formatPath(path){return(path.match(/\\{[^{}]*\\}|[^{}/]*\\/|[^{}/]+/g)??[]).map(part=>{if(part.startsWith(`{`))return make(`var`,{},part);return part.endsWith(`/`)&&part!==path?[part,make(`wbr`)]:part})}function makeCode(title,text=``){const id=freshId();const code=make(`code`,{},text);const pre=make(`pre`,{tabindex:`0`,"aria-labelledby":id},code);const copied=make(`span`,{role:`status`,class:`quiet`});const button=make(`button`,{type:`button`,"aria-label":`Copy ${title}`},`Copy`);button.addEventListener(`click`,async()=>{copied.textContent=await copy(code)?`Copied`:`Selected: copy it with the keyboard`;setTimeout(()=>copied.replaceChildren(),2e3)});const head=make(`figcaption`,{},make(`span`,{id},title),copied,button);return{element:make(`figure`,{class:`snippet`},head,pre),show:next=>code.replaceChildren(next)}}async function copy(code){try{await navigator.clipboard.writeText(code.textContent??``);return true}catch{getSelection()?.selectAllChildren(code);return false}}const PREFIX=`credential:`;function describeCredentials(operation,api){const phrases=schemesOf(operation,api).map(([name,{type,scheme,in:place,name:key}])=>{if(type===`apiKey`)return place===`cookie`?`the cookie ${key}`:`an API key in the header ${key}`;if(scheme===`bearer`)return`a bearer token`;return scheme===`basic`?`a user name and a password`:name});const{security=[]}=operation;const isOptional=security.some(one=>Object.keys(one).length===0);const word=security.every(one=>Object.keys(one).length===1)?`or`:`and`;const end=isOptional?`, but answers without it, too.`:`.`;return phrases.length===0?void 0:`Asks for ${phrases.join(` ${word} `)}${end}`}function fieldsOf(name,scheme){if(scheme.in===`cookie`)return[];const label=scheme.type===`apiKey`?`API key (${scheme.name})`:`Bearer token`;if(scheme.scheme!==`basic`)return[{key:name,label,isSecret:true}];return[{key:`${name}.user`,label:`User name`,isSecret:false},{key:`${name}.password`,label:`Password`,isSecret:true}]}function schemesOf({security=[]},{schemes}){return[...new Set(security.flatMap(one=>Object.keys(one)))].flatMap(name=>{const scheme=schemes[name];return scheme===void 0?[]:[[name,scheme]]})}function makeCredentialFields(schemes){return schemes.flatMap(([name,scheme])=>fieldsOf(name,scheme).map(({key,label,isSecret})=>{const id=freshId();const input=make(`input`,{id,type:isSecret?`password`:`text`,autocomplete:`off`,spellcheck:`false`});input.value=read(key);input.addEventListener(`input`,()=>sessionStorage.setItem(PREFIX+key,input.value));return make(`div`,{class:`field`},make(`label`,{for:id},label),input)}))}function read(key){return sessionStorage.getItem(PREFIX+key)??``}function credentialHeaders(schemes){return schemes.flatMap(([name,scheme])=>{if(scheme.scheme===`basic`){const pair=`${read(`${name}.user`)}:${read(`${name}.password`)}`;return pair===`:`?[]:[[`authorization`,`Basic ${toBase64(pair)}`]]}const secret=read(name).trim();if(secret===``)return[];return scheme.type===`apiKey`?[[scheme.name??name,secret]]:[[`authorization`,`Bearer ${secret}`]]})}function toBase64(text){return btoa(String.fromCharCode(...new TextEncoder().encode(text)))}const METHODS=[`get`,`post`,`put`,`patch`,`delete`,`head`,`options`,`trace`];function readApi(document){const tags=[...(document.tags??[]).map(({name})=>name),``];const operations=Object.entries(document.paths??{}).flatMap(([path,items])=>METHODS.flatMap(method=>{const item=items[method];return item===void 0?[]:[toOperation(path,method.toUpperCase(),item)]}));const place=({tag})=>tags.includes(tag)?tags.indexOf(tag):tags.length-1.5;return{document,operations:operations.sort((one,other)=>place(one)-place(other)),schemas:document.components?.schemas??{},schemes:document.components?.securitySchemes??{}}}function toOperation(path,method,item){const{operationId:id=`${method} ${path}`,tags:[tag=``]=[]}=item;const{summary=``,...others}=item;const own=summary===``||summary===`${method} ${path}`?{}:{summary};const text=[method,path,summary,id,tag].join(` `).toLowerCase();return{...others,...own,id,method,path,tag,text}}function search(operations,query){const words=query.toLowerCase().split(/\\s+/);return operations.filter(({text})=>words.every(word=>text.includes(word)))}const SCHEMAS=`#/components/schemas/`;function nameOf({$ref=``}){const name=$ref.startsWith(SCHEMAS)?$ref.slice(21):``;return name===``||name.includes(`/`)?void 0:decodeURIComponent(name)}const MOST_STEPS=20;function resolve(schema,{document}){let found=toSchema(schema);for(let step=0;found.$ref!==void 0&&step<MOST_STEPS;step++){const{$ref,...beside}=found;found={...toSchema(follow($ref,document)),...beside}}return found.$ref===void 0?found:{}}function toSchema(schema){if(schema===false)return{not:{}};return typeof schema===`object`&&schema!==null?schema:{}}function follow(reference,document){return(reference.startsWith(`#/`)?reference.slice(2).split(`/`):[`?`]).reduce((value,step)=>{const key=decodeURIComponent(step).replaceAll(`~1`,`/`).replaceAll(`~0`,`~`);return typeof value===`object`&&value!==null&&Object.hasOwn(value,key)?value[key]:void 0},document)}function casesOf({anyOf,oneOf}){return anyOf??oneOf??[]}function makeNavigation(api){const{operations}=api;const input=make(`input`,{type:`search`,id:freshId(),placeholder:`Search`,autocomplete:`off`,spellcheck:`false`,"aria-keyshortcuts":`/`});const count=make(`p`,{class:`quiet count`,role:`status`},countOf(operations.length));const groups=groupByTag(operations).map(makeGroup);const links=new Map(groups.flatMap(({items})=>items.map(one=>[one.operation.id,one.element])));let selected;input.addEventListener(`input`,filter);const element=make(`nav`,{id:`operations`,"aria-label":`Operations`},make(`div`,{class:`search`},make(`label`,{for:input.id,class:`hidden`},`Search operations`),input,make(`kbd`,{"aria-hidden":`true`},`/`)),count,groups.map(group=>group.element));element.addEventListener(`keydown`,onKey);return{element,select,focusSearch:()=>input.select()};function filter(){const found=new Set(search(operations,input.value));for(const{element:group,items}of groups){for(const{element:item,operation}of items)item.hidden=!found.has(operation);group.hidden=items.every(({element:item})=>item.hidden)}count.textContent=input.value.trim()===``?countOf(operations.length):`${found.size} found`}function select(id){selected?.removeAttribute(`aria-current`);selected=links.get(id)?.firstElementChild;selected?.setAttribute(`aria-current`,`page`);selected?.scrollIntoView({block:`nearest`})}function onKey(event){const step={ArrowDown:1,ArrowUp:-1}[event.key];const shown=[...element.querySelectorAll(`li:not([hidden]) > a`)];const[first]=shown;const active=document.activeElement;if(event.key===`Enter`&&active===input)first?.click();if(step===void 0)return;const next=shown.indexOf(active)+step;event.preventDefault();if(next<0)input.focus();else shown[next]?.focus()}}function countOf(operations){return operations===1?`1 operation`:`${operations} operations`}function groupByTag(operations){const groups=new Map;for(const operation of operations){const group=groups.get(operation.tag);if(group)group.push(operation);else groups.set(operation.tag,[operation])}return[...groups]}function makeGroup([tag,operations]){const id=freshId();const items=operations.map(operation=>({operation,element:makeItem(operation)}));const list=make(`ul`,{"aria-labelledby":id},items.map(({element})=>element));const label=make(`p`,{class:`tag`,id},tag===``?`Other routes`:tag);return{element:make(`div`,{class:`group`},label,list),items}}function makeItem({id,method,path,summary,deprecated}){return make(`li`,{},make(`a`,{href:`#${encodeURIComponent(id)}`,title:summary},make(`span`,{class:`method`},method),make(`span`,{class:deprecated?`path deprecated`:`path`},formatPath(path)),deprecated&&make(`span`,{class:`hidden`},` deprecated`)))}const FENCE=/^ {0,3}(```+|~~~+)/;const ITEM=/^ {0,3}(?:[-*+]|(\\d{1,9})[.)]) +/;const HEADING=/^ {0,3}#{1,6} +/;const QUOTE=/^ {0,3}> ?/;function parseMarkdown(text){const lines=text.replace(/\\r\\n?/g,`\n`).split(`\n`);const blocks=[];for(let at=0;at<lines.length;){const[block,next]=parseBlock(lines,at);if(block)blocks.push(block);at=next}return blocks}function parseBlock(lines,at){const line=lines[at]??``;if(line.trim()===``)return[void 0,at+1];const fence=FENCE.exec(line)?.[1];if(fence!==void 0)return parseFence(lines,at,fence);if(HEADING.test(line))return[{kind:`heading`,of:parseInline(line.replace(HEADING,``))},at+1];const isItem=ITEM.test(line);let end=at+1;while(end<lines.length&&(isItem?isInList(lines,end):isText(lines[end]??``)))end++;const inside=lines.slice(at,end);if(isItem)return[toList(inside),end];if(!QUOTE.test(line))return[{kind:`paragraph`,of:parseInline(joinLines(inside))},end];return[{kind:`quote`,of:parseInline(joinLines(inside.map(one=>one.replace(QUOTE,``))))},end]}function parseFence(lines,at,fence){const length=lines.slice(at+1).findIndex(line=>line.trim().startsWith(fence));const end=length===-1?lines.length:at+1+length;return[{kind:`code`,text:lines.slice(at+1,end).join(`\n`)},end+1]}function isText(line){return line.trim()!==``&&!FENCE.test(line)&&!ITEM.test(line)&&!HEADING.test(line)}function isInList(lines,at){const line=lines[at]??``;if(line.trim()===``)return ITEM.test(lines[at+1]??``)||/^ +\\S/.test(lines[at+1]??``);return ITEM.test(line)||/^ /.test(line)||isText(line)}function toList(lines){const items=[];for(const line of lines)if(ITEM.test(line))items.push([line.replace(ITEM,``)]);else items.at(-1)?.push(line);return{kind:`list`,isOrdered:ITEM.exec(lines[0]??``)?.[1]!==void 0,items:items.map(item=>parseInline(joinLines(item)))}}function joinLines(lines){return lines.map(line=>line.trim()).join(` `).trim()}const INLINE=/(`+)(.+?)\\1|\\*\\*(?=\\S)(.+?)\\*\\*|(?<![\\w*])([*_])(?=\\S)(.+?)\\4(?!\\w)|\\[([^\\][]+)\\]\\(([^\\s()]+)\\)|<?(https?:\\/\\/[^\\s<>)\\]"\'`]*[^\\s<>)\\]"\'`.,:;!?])>?/g;const DEEPEST_INLINE=5;function parseInline(text,depth=0){if(depth>DEEPEST_INLINE)return[text];const parts=[];let end=0;for(const match of text.matchAll(INLINE)){if(match.index>end)parts.push(text.slice(end,match.index));parts.push(toInline(match,depth+1));end=match.index+match[0].length}return end<text.length?[...parts,text.slice(end)]:parts}function toInline([whole,,code,strong,,em,label,url,bare],depth){if(code!==void 0)return{kind:`code`,text:code.trim()};if(strong!==void 0)return{kind:`strong`,of:parseInline(strong,depth)};if(em!==void 0)return{kind:`em`,of:parseInline(em,depth)};if(bare!==void 0)return{kind:`link`,url:bare,of:[bare]};if(label===void 0||url===void 0||!isSafe(url))return whole;return{kind:`link`,url,of:parseInline(label,depth)}}function isSafe(url){return/^(?:https?:\\/\\/|mailto:|[/#](?![/\\\\]))/i.test(url)}function showProse(text){return text?make(`div`,{class:`prose`},parseMarkdown(text).map(showBlock)):void 0}function showBlock(block){switch(block.kind){case`paragraph`:return make(`p`,{},block.of.map(showInline));case`heading`:return make(`p`,{},make(`strong`,{},block.of.map(showInline)));case`quote`:return make(`blockquote`,{},make(`p`,{},block.of.map(showInline)));case`code`:return make(`pre`,{tabindex:`0`},make(`code`,{},block.text));case`list`:{const items=block.items.map(item=>make(`li`,{},item.map(showInline)));return make(block.isOrdered?`ol`:`ul`,{},items)}}}function showInline(inline){if(typeof inline===`string`)return inline;if(inline.kind===`code`)return make(`code`,{},inline.text);const inside=inline.of.map(showInline);if(inline.kind!==`link`)return make(inline.kind,{},inside);return make(`a`,{href:inline.url,rel:`noopener noreferrer`},inside)}const NOTHING=`nothing`;const MOST_VALUES=8;function typeOf(given){if(typeof given!==`object`)return[given===false?NOTHING:`any`];const name=nameOf(given);if(name!==void 0)return[{name}];const{anyOf,oneOf,allOf,type,not}=given;if(`const`in given)return[JSON.stringify(given.const)];if(given.enum)return unite(given.enum.map(value=>[JSON.stringify(value)]));if(anyOf||oneOf)return unite(casesOf(given).map(typeOf));if(type===void 0&&allOf)return unite(allOf.map(typeOf),` & `);if(type===void 0)return[not?NOTHING:given.properties?`object`:`any`];return unite((typeof type===`string`?[type]:type).map(one=>singleType(one,given)))}function singleType(type,schema){const{additionalProperties:others,format,prefixItems,properties}=schema;if(type===`string`&&schema.contentMediaType)return[`file`];if(type===`string`&&format)return[`string (${format})`];if(type===`array`)return prefixItems?tupleType(prefixItems,schema.items):listType(schema.items);if(type===`object`&&!properties&&typeof others===`object`)return[`{ [key]: `,...typeOf(others),` }`];return[type]}function listType(items){const inner=typeOf(items);const[first=``]=inner;return inner.length===1&&(typeof first===`object`||/^\\w+$/.test(first))?[...inner,`[]`]:[`(`,...inner,`)[]`]}function tupleType(prefix,items){const rest=typeOf(items)[0]===NOTHING?[]:[[`...`,...listType(items)]];return[`[`,...unite([...prefix.map(typeOf),...rest],`, `),`]`]}function unite(types,sign=` | `){const shown=types.slice(0,MOST_VALUES).flatMap((type,at)=>at===0?type:[sign,...type]);return types.length>MOST_VALUES?[...shown,`${sign}… ${types.length-MOST_VALUES} more`]:shown}function constraintsOf(schema){const{multipleOf,pattern,uniqueItems,allOf=[],items}=schema;const{exclusiveMinimum:above,exclusiveMaximum:below}=schema;return[range(schema.minLength,schema.maxLength,`character`),range(schema.minimum,schema.maximum===Number.MAX_SAFE_INTEGER?void 0:schema.maximum),above===void 0?``:`more than ${above}`,below===void 0?``:`less than ${below}`,multipleOf===void 0?``:`a multiple of ${multipleOf}`,range(schema.minItems,schema.maxItems,`item`),uniqueItems?`no item twice`:``,pattern===void 0?``:`matches ${pattern}`,...(schema.enum??[]).slice(MOST_VALUES).map(value=>JSON.stringify(value)),...(schema.type===void 0?casesOf(schema):allOf).flatMap(constraintsOf),...(typeof items===`object`?constraintsOf(items):[]).map(phrase=>`each ${phrase}`)].filter(phrase=>phrase!==``)}function range(least,most,noun=``){if(least===void 0&&most===void 0)return``;const nouns=noun===``?``:` ${noun}${(most??least)===1?``:`s`}`;if(least===void 0)return`at most ${most}${nouns}`;if(most===void 0)return`at least ${least}${nouns}`;return least===most?`exactly ${least}${nouns}`:`${least} to ${most}${nouns}`}const DEEPEST_TYPE=3;function innerOf(given,api,depth=0){const schema=resolve(given,api);const{additionalProperties:others,allOf=[],items,prefixItems=[],required=[]}=schema;const properties=Object.entries(schema.properties??{}).map(([name,inner])=>{return{name,schema:inner,isRequired:required.includes(name)}});const rest=typeof others===`object`?[{name:`[key]`,schema:others,isRequired:false}]:[];const choices=casesOf(schema).filter(one=>hasInner(one,api));const parts=depth>DEEPEST_TYPE?[]:[...allOf,...typeof items===`object`?[items]:[]];return[...properties,...rest,...choices.map(one=>({name:``,schema:one,isRequired:true})),...prefixItems.map((one,at)=>({name:`[${at}]`,schema:one,isRequired:true})),...parts.flatMap(part=>innerOf(part,api,depth+1))]}function hasInner(given,api,depth=0){if(depth>DEEPEST_TYPE)return true;const schema=resolve(given,api);const{additionalProperties:others,allOf=[],items,prefixItems=[]}=schema;const isObject=Object.keys(schema.properties??{}).length>0||typeof others===`object`;const parts=[...casesOf(schema),...allOf,...typeof items===`object`?[items]:[]];return isObject||prefixItems.length>0||parts.some(part=>hasInner(part,api,depth+1))}const OPEN_LEVELS=2;function showSchema(schema,api){const inner=innerOf(schema,api);const resolved=resolve(schema,api);return[make(`p`,{class:`type-line`},showType(schema),showConstraints(resolved)),showProse(resolved.description),inner.length>0&&showInner(inner,api,1)]}function showType(schema){return make(`code`,{class:`type`},typeOf(schema).map(showPart))}function showPart(part){if(typeof part===`string`)return part;return make(`a`,{href:`#types/${encodeURIComponent(part.name)}`},part.name)}function showConstraints(schema){const given=`default`in schema?[`default ${JSON.stringify(schema.default)}`]:[];const phrases=[...constraintsOf(schema),...given];return phrases.length>0&&[` `,make(`span`,{class:`constraints`},phrases.join(`, `))]}function showNote(text){return[` `,make(`span`,{class:`note`},text)]}function showInner(inner,api,level){return make(`ul`,{class:`properties`},inner.map(one=>showOne(one,api,level)))}function showOne({name,schema,isRequired},api,level){const resolved=resolve(schema,api);const canOpen=hasInner(schema,api);const isNamed=typeOf(schema).some(part=>typeof part===`object`);const id=freshId();const inside=make(`div`,{id,hidden:true});const open=()=>fill(inside,[showInner(innerOf(schema,api),api,level+1)]);return make(`li`,{},make(`div`,{class:`property`},canOpen&&makeToggle(inside,open,canOpen&&!isNamed&&level<OPEN_LEVELS,name===``?`this type`:name),name!==``&&[make(`code`,{class:`name`},name),` `],showType(schema),name!==``&&!isRequired&&showNote(`optional`),resolved.deprecated&&showNote(`deprecated`),showConstraints(resolved)),showProse(resolved.description),canOpen&&inside)}function makeToggle(inside,open,isOpen,label){const button=make(`button`,{type:`button`,class:`toggle`,"aria-controls":inside.id,"aria-expanded":`false`,"aria-label":`Properties of ${label}`});const toggle=()=>{if(inside.childElementCount===0)open();inside.hidden=!inside.hidden;button.setAttribute(`aria-expanded`,String(!inside.hidden))};button.addEventListener(`click`,toggle);if(isOpen)toggle();return button}function makeField({name,schema:given,note,isNeeded,hint},api){const schema=resolve(given,api);const types=typesOf(schema,api);const isObject=types.includes(`object`);const isList=types.includes(`array`);const text=[isObject?`One key=value a line`:isList?`One value a line`:``,hint??``].filter(one=>one!==``).join(`. `);const[id,hintId]=[freshId(),freshId()];const control=makeControl(schema,api,{isLong:isObject||isList,isList},{id,required:isNeeded,"aria-describedby":text===``?void 0:hintId});const element=make(`div`,{class:`field`},make(`label`,{for:id},make(`code`,{},name),` `,make(`span`,{class:`note`},note)),control,text!==``&&make(`p`,{id:hintId,class:`quiet`},text));const read=()=>{if(control.type===`file`)return[];return(isObject||isList?control.value.split(`\n`):[control.value]).filter(value=>value!==``)};return{element,texts:read,files:()=>filesOf(control),isObject}}function filesOf(control){return control instanceof HTMLInputElement?[...control.files??[]]:[]}function typesOf(schema,api){const{type=[],anyOf=[],oneOf=[]}=schema;return[type,[...anyOf,...oneOf].map(one=>resolve(one,api).type??[])].flat(3)}function makeControl(schema,api,{isLong,isList},attributes){if((isList?resolve(schema.items,api):schema).contentMediaType)return make(`input`,{...attributes,type:`file`,multiple:isList});const placeholder=`default`in schema?JSON.stringify(schema.default):typeOf(schema).map(nameOnly).join(``);if(isLong)return make(`textarea`,{...attributes,rows:`2`,placeholder,spellcheck:`false`});const choices=schema.enum??(schema.type===`boolean`?[true,false]:void 0);if(choices)return make(`select`,attributes,makeOptions([``,...choices.map(String)]));const inputmode=schema.type===`integer`||schema.type===`number`?`decimal`:void 0;return make(`input`,{...attributes,inputmode,placeholder,autocomplete:`off`,spellcheck:`false`})}function nameOnly(part){return typeof part===`string`?part:part.name}function makeChoice(label,values){const id=freshId();const select=make(`select`,{id},makeOptions(values));const element=make(`div`,{class:`field`},make(`label`,{for:id},label),select);return{select,element:values.length>1&&element}}function makeOptions(values){return values.map(value=>make(`option`,{value},value||`–`))}const DEEPEST=5;const SECRET=/pass(word|phrase)?|secret|token|credential|api_?key/i;const FORMATS={"date-time":`2030-01-31T12:00:00Z`,date:`2030-01-31`,time:`12:00:00Z`,duration:`P1D`,email:`ada@example.org`,hostname:`example.org`,ipv4:`192.0.2.1`,ipv6:`2001:db8::1`,uri:`https://example.org/`,url:`https://example.org/`,uuid:`00000000-0000-4000-8000-000000000000`};function sampleOf(given,api,name=``,depth=0){const schema=resolve(given,api);const{allOf,items,prefixItems,type}=schema;if(schema.examples?.length)return schema.examples[0];if(`default`in schema)return schema.default;if(`const`in schema)return schema.const;if(schema.enum)return schema.enum[0];const[first]=casesOf(schema);if(first!==void 0)return depth>DEEPEST?null:sampleOf(first,api,name,depth+1);switch(typeof type===`object`?type[0]:type){case`string`:return sampleText(schema,name);case`integer`:case`number`:return sampleNumber(schema);case`boolean`:return false;case`array`:if(prefixItems)return prefixItems.map(one=>sampleOf(one,api,``,depth+1));return(schema.minItems??0)>0&&depth<DEEPEST?[sampleOf(items,api,``,depth+1)]:[];case`null`:return null;default:return schema.properties||allOf?sampleObject(schema,api,depth):{}}}function sampleObject(schema,api,depth){const{allOf=[],properties={},required=Object.keys(properties)}=schema;const own=Object.entries(properties).filter(([name])=>depth<DEEPEST&&required.includes(name)).map(([name,inner])=>[name,sampleOf(inner,api,name,depth+1)]);const parts=depth<DEEPEST?allOf.map(part=>sampleOf(part,api,``,depth+1)):[];return Object.assign({},...parts,Object.fromEntries(own))}function sampleText({format=``,pattern,minLength=0,maxLength},name){const known=FORMATS[format];if(known!==void 0)return known;if(pattern!==void 0||SECRET.test(name))return``;return`text`.padEnd(minLength,`t`).slice(0,maxLength)}function sampleNumber(schema){const{minimum,maximum,exclusiveMinimum,exclusiveMaximum,multipleOf=1}=schema;const least=minimum??(exclusiveMinimum===void 0?void 0:exclusiveMinimum+multipleOf);const most=maximum??(exclusiveMaximum===void 0?void 0:exclusiveMaximum-multipleOf);if(least!==void 0)return Math.ceil(least/multipleOf)*multipleOf;return most!==void 0&&most<1?Math.floor(most/multipleOf)*multipleOf:multipleOf}function makeBodyField({content},api){const medias=Object.keys(content);const{select,element:chooser}=makeChoice(`Content type`,medias);const inside=make(`div`);let current=makeOne(select.value,content,api);const change=()=>{current=makeOne(select.value,content,api);fill(inside,[current.element])};select.addEventListener(`input`,change);change();return{element:make(`div`,{},chooser,inside),body:()=>current.body()}}function makeOne(media,content,api){const schema=content[media]?.schema;return/json/.test(media)?makeJson(media,schema,api):makeForm(media,schema,api)}function makeJson(media,schema,api){const[id,errorId]=[freshId(),freshId()];const text=JSON.stringify(sampleOf(schema,api),null,2);const rows=String(Math.min(Math.max(text.split(`\n`).length,3),16));const area=make(`textarea`,{id,rows,spellcheck:`false`,"aria-describedby":errorId});const error=make(`p`,{id:errorId,class:`quiet`,role:`status`});area.value=text;area.addEventListener(`change`,()=>{error.textContent=area.value.trim()===``?``:whyNotJson(area.value)});const label=make(`label`,{for:id},`Body `,make(`span`,{class:`note`},`JSON`));return{element:make(`div`,{class:`field`},label,area,error),body:()=>area.value.trim()===``?void 0:{media,text:area.value}}}function whyNotJson(text){try{JSON.parse(text);return``}catch(error){return`This is not JSON: ${error instanceof Error?error.message:error}`}}function makeForm(media,given,api){const{properties={},required=[]}=resolve(given,api);const fields=Object.entries(properties).map(([name,schema])=>{const note=required.includes(name)?`form, required`:`form`;return[name,makeField({name,schema,note},api)]});const read=()=>fields.flatMap(([name,field])=>{const schema=resolve(properties[name],api);return[...field.texts(),...field.files()].map(value=>({name,value,schema}))});return{element:make(`div`,{},fields.map(([,{element}])=>element)),body:()=>({media,fields:read()})}}const TOKEN=/"(?:[^"\\\\]|\\\\.)*"|[{}[\\],:]|[^\\s{}[\\],:"]+/g;function formatJsonText(text){let[formatted,margin,before]=[``,`\n`,``];for(const[token]of text.matchAll(TOKEN)){const closes=token===`}`||token===`]`;const wasOpened=before===`{`||before===`[`;if(closes)margin=margin.slice(0,-2);if(closes?!wasOpened:wasOpened||before===`,`)formatted+=margin;formatted+=token===`:`?`: `:token;if(token===`{`||token===`[`)margin+=`  `;before=token}return formatted}const MULTIPART=`multipart/form-data`;function toRequest({operation,server,given,credentials,body}){const pairs=given.flatMap(({parameter,texts,isObject})=>texts.map(text=>({in:parameter.in,pair:toPair(parameter.name,text,isObject)})));const placed=place=>pairs.flatMap(one=>one.in===place?[one.pair]:[]);const path=fillPath(operation.path,new Map(placed(`path`)));const query=new URLSearchParams(placed(`query`).map(([name,value])=>[name,value])).toString();const type=body===void 0||body.media===MULTIPART?[]:[[`content-type`,body.media]];return{method:operation.method,url:`${server}${path}${query===``?``:`?${query}`}`,headers:[...credentials,...placed(`header`),...type],cookies:placed(`cookie`),body:body&&toBody(body)}}function toPair(name,text,isObject){if(!isObject)return[name,text];const[key=``,...value]=text.split(`=`);return[key.trim(),value.join(`=`)]}function fillPath(path,values){return path.replace(/\\{([^{}]+)\\}/g,(written,name)=>{const value=values.get(name);return value===void 0?written:encodeURIComponent(value).replace(/^\\.+$/,encodeDots)})}function encodeDots(dots){return dots.replaceAll(`.`,`%2E`)}function toBody(body){if(`text`in body)return body.text;if(body.media===MULTIPART)return body.fields;const pairs=body.fields.map(({name,value})=>[name,typeof value===`string`?value:value.name]);return new URLSearchParams(pairs).toString()}function formatCurl({method,url,headers,cookies,body}){const cookie=cookies.map(([name,value])=>`${name}=${value}`).join(`; `);return`curl ${[...method===`HEAD`?[`--head`]:method===`GET`?[]:[`--request ${method}`],quoteWord(url),...headers.map(([name,value])=>`--header ${quoteWord(value===``?`${name};`:`${name}: ${value}`)}`),...cookie===``?[]:[`--header ${quoteWord(`cookie: ${cookie}`)}`],...typeof body===`string`?[`--data-raw ${quoteWord(body)}`]:(body??[]).map(formatField)].join(` \\\\\n  `)}`}function quoteWord(text){return`\'${text.replaceAll(`\'`,`\'\\\\\'\'`)}\'`}function formatField({name,value}){if(typeof value===`string`)return`--form-string ${quoteWord(`${name}=${value}`)}`;return`--form ${quoteWord(`${name}=@${`"${value.name.replace(/[\\\\"]/g,`\\\\$&`)}"`}${value.type===``?``:`;type=${value.type}`}`)}`}function formatCall(draft){const{operation,given,body}=draft;const parts=Object.entries({path:`path`,query:`query`,headers:`header`,cookies:`cookie`}).flatMap(([key,place])=>{const entries=given.filter(({parameter})=>parameter.in===place).flatMap(toEntries);return entries.length===0?[]:[[key,Object.fromEntries(entries)]]});const whole=body===void 0?parts:[...parts,[`body`,toValue(body)]];const input=whole.length===0?``:formatLiteral(Object.fromEntries(whole));return`const answer = await api.${operation.id}(${input});`}function toEntries({parameter,texts,isObject}){const{name,schema={}}=parameter;if(texts.length===0)return[];return isObject?texts.map(text=>toPair(name,text,true)):[[name,readValues(texts,schema)]]}function readValues(values,{type,items}){const isList=[type].flat().includes(`array`);const inner=isList?typeof items===`object`&&items.type:type;const read=values.map(value=>typeof value===`string`?readPlain(value,inner):new Code(`file`));return isList||read.length>1?read:read[0]}function readPlain(text,type){const types=[type].flat();if(types.includes(`boolean`)&&/^(true|false)$/.test(text))return text===`true`;return(types.includes(`integer`)||types.includes(`number`))&&/^-?\\d{1,15}(\\.\\d+)?$/.test(text)?Number(text):text}var Code=class{text;constructor(text){this.text=text}};function toValue(body){if(`text`in body){const value=parseJson(body.text);return value===void 0?body.text:value}const names=new Set(body.fields.map(({name})=>name));const entries=Array.from(names,name=>{const fields=body.fields.filter(field=>field.name===name);return[name,readValues(fields.map(({value})=>value),fields[0]?.schema??{})]});return Object.fromEntries(entries)}function parseJson(text){try{return JSON.parse(text)}catch{return}}const LINE=60;function formatLiteral(value,margin=``){if(value instanceof Code)return value.text;if(typeof value!==`object`||value===null)return JSON.stringify(value);const isList=Array.isArray(value);const[open,close]=isList?[`[`,`]`]:[`{`,`}`];const deeper=`${margin}  `;const items=Object.entries(value).map(([key,inner])=>{const name=/^[\\p{ID_Start}$_][\\p{ID_Continue}$]*$/u.test(key)?key:JSON.stringify(key);return`${isList?``:`${name}: `}${formatLiteral(inner,deeper)}`});const line=items.join(`, `);if(items.length===0)return open+close;if(line.length<=LINE&&!line.includes(`\n`))return isList?`[${line}]`:`{ ${line} }`;return`${open}\\n${deeper}${items.join(`,\\n${deeper}`)},\\n${margin}${close}`}const MOST_SHOWN=2e5;const IS_TEXT=/^text\\/|[/+](json|xml|javascript|x-ndjson|x-www-form-urlencoded)\\b/;let running;function stopRequest(){running?.abort();running=void 0}function makeOutcome(name){const status=make(`p`,{role:`status`,class:`outcome`});const inside=make(`div`);const stop=make(`button`,{type:`button`,hidden:true},`Stop`);stop.addEventListener(`click`,stopRequest);return{element:make(`div`,{},status,inside),stop,send};async function send(sent){stopRequest();const mine=new AbortController;running=mine;const began=performance.now();stop.hidden=false;fill(inside,[]);status.textContent=`Waiting for the answer…`;try{const response=await fetch(sent.url,toInit(sent,mine.signal));const title=`${response.status} ${response.statusText}`.trim();status.textContent=`${title}, receiving…`;const size=await receive(response,inside,name,mine.signal);const parts=[title,`${Math.round(performance.now()-began)} ms`,formatSize(size),response.redirected?`from ${response.url}`:``];const ended=mine.signal.aborted?`stopped`:``;status.textContent=[...parts,ended].filter(part=>part!==``).join(`, `)}catch(error){status.textContent=mine.signal.aborted?`Stopped.`:explainFailure(error)}finally{if(running===mine)running=void 0;stop.hidden=true}}}function toInit({method,headers,body},signal){const shared={method,headers:headers.map(pair=>[...pair]),signal,cache:`no-store`};if(body===void 0||typeof body===`string`)return body===void 0?shared:{...shared,body};const form=new FormData;for(const{name,value}of body)form.append(name,value);return{...shared,body:form}}function explainFailure(error){return`The browser got no answer (${error instanceof Error?error.message:String(error)}). Does the server run? Of another origin, does it allow this page by CORS?`}async function receive(response,place,name,signal){const type=response.headers.get(`content-type`)??``;const isText=IS_TEXT.test(type);const isJson=/json\\b/.test(type)&&!/ndjson/.test(type);const view=makeCode(`Body`);const note=make(`p`,{class:`quiet`});fill(place,[showReceived(response.headers),response.body!==null&&isText&&view.element,note]);const chunks=[];const decoder=new TextDecoder;let[text,size]=[``,0];try{for await(const chunk of readAll(response)){chunks.push(chunk);size+=chunk.length;if(!isText||text.length>MOST_SHOWN)continue;text+=decoder.decode(chunk,{stream:true});if(!isJson)view.show(text.slice(0,MOST_SHOWN))}}catch(error){if(!signal.aborted)note.append(`The answer broke off: ${error instanceof Error?error.message:error}`)}const isWhole=text.length<=MOST_SHOWN;if(isJson)view.show(isWhole&&parseJson(text)!==void 0?formatJsonText(text):text.slice(0,MOST_SHOWN));if(size===0)view.element.remove();else if(!isText||!isWhole)note.append(isText?`Only its beginning is shown. `:``,makeSave(chunks,type,name));return size}async function*readAll({body}){const reader=body?.getReader();for(let part=await reader?.read();part&&!part.done;part=await reader?.read())yield part.value}function showReceived(headers){const rows=[...headers].map(([name,value])=>make(`div`,{},make(`dt`,{},make(`code`,{},name)),make(`dd`,{},value)));return make(`details`,{},make(`summary`,{},`${rows.length} headers`),make(`dl`,{},rows))}function makeSave(chunks,type,name){const href=URL.createObjectURL(new Blob([...chunks],{type}));return make(`a`,{href,download:name},`Save ${type===``?`the body`:`the ${type}`}`)}function formatSize(bytes){if(bytes<1024)return`${bytes} ${bytes===1?`byte`:`bytes`}`;const[size,unit]=bytes<1024**2?[bytes/1024,`KiB`]:[bytes/1024**2,`MiB`];return`${Number(size.toFixed(1))} ${unit}`}function makeTryIt(operation,api,base){const{parameters=[],requestBody}=operation;const schemes=schemesOf(operation,api);const server=makeServer(api,base);const fields=parameters.map(parameter=>({parameter,field:makeParameter(parameter,api)}));const body=requestBody&&makeBodyField(requestBody,api);const[curl,call]=[makeCode(`curl`),makeCode(`Client`)];const outcome=makeOutcome(operation.id);const[id,send]=[freshId(),make(`button`,{class:`main`},`Send`)];const form=make(`form`,{},server.element,makeCredentialFields(schemes),fields.map(({field})=>field.element),body?.element,make(`div`,{class:`actions`},send,outcome.stop));form.addEventListener(`input`,update);form.addEventListener(`submit`,event=>{event.preventDefault();outcome.send(toRequest(read()))});update();return make(`section`,{class:`try`,"aria-labelledby":id},make(`h2`,{id},`Try it`),form,outcome.element,curl.element,call.element);function read(){const given=fields.map(({parameter,field})=>{return{parameter,texts:field.texts(),isObject:field.isObject}});return{operation,server:server.url(),given,credentials:credentialHeaders(schemes),body:body?.body()}}function update(){const draft=read();curl.show(formatCurl(toRequest(draft)));call.show(formatCall(draft))}}function makeParameter(parameter,api){const{name,schema,in:place,required}=parameter;const hint=place===`cookie`?`Only curl sends it: a browser sends its own cookies.`:``;const note=required?`${place}, required`:place;return makeField({name,schema,note,isNeeded:place===`path`,hint},api)}let chosen=``;function makeServer({document},base){const urls=(document.servers??[]).map(({url})=>toServerUrl(url,base));const all=[...new Set([...urls,toServerUrl(`/`,base)])];const{select,element}=makeChoice(`Server`,all);if(all.includes(chosen))select.value=chosen;select.addEventListener(`change`,()=>{chosen=select.value});return{element,url:()=>select.value}}function toServerUrl(url,base){return new URL(url===`/`?`.`:url,base).href.replace(/\\/$/,``)}const PLACES={path:`Path`,query:`Query`,header:`Headers`,cookie:`Cookies`};function showOperation(operation,api,base){const{method,path,tag,summary,deprecated,description,parameters=[],requestBody}=operation;const address=[make(`span`,{class:`method`},method),` `,make(`code`,{},formatPath(path))];const credentials=describeCredentials(operation,api);return[make(`header`,{},tag!==``&&make(`p`,{class:`quiet`},tag),make(`h1`,{tabindex:`-1`,class:summary?void 0:`address`},summary??address),summary!==void 0&&make(`p`,{class:`address`},address),deprecated&&make(`p`,{class:`notice`},make(`strong`,{},`Deprecated.`),` It may go away.`),showProse(description),credentials!==void 0&&make(`p`,{class:`quiet`},credentials)),make(`div`,{class:`columns`},make(`div`,{},parameters.length>0&&[make(`h2`,{},`Parameters`),showParameters(parameters,api)],requestBody&&[make(`h2`,{},`Body`,showNote(formatMedias(requestBody.content)),!requestBody.required&&showNote(`optional`)),showProse(requestBody.description),showContent(requestBody.content,api)],make(`h2`,{},`Responses`),Object.entries(operation.responses??{}).sort(([one],[other])=>placeOf(one)-placeOf(other)).map(([status,answer],at)=>showAnswer(status,answer,api,at===0))),makeTryIt(operation,api,base))]}function placeOf(status){return status==="default"?1e3:Number(status.replaceAll(`X`,`9`))+(status.includes(`X`)?.5:0)}function showParameters(parameters,api){return Object.entries(PLACES).map(([place,title])=>[title,parameters.filter(one=>one.in===place)]).map(([title,inside])=>inside.length>0&&showTable(title,inside,api))}function showTable(title,parameters,api){const head=[`Name`,`Value`].map(text=>make(`th`,{role:`columnheader`,scope:`col`},text));return make(`table`,{role:`table`},make(`caption`,{},title),make(`thead`,{role:`rowgroup`},make(`tr`,{role:`row`},head)),make(`tbody`,{role:`rowgroup`},parameters.map(parameter=>showRow(parameter,api))))}function showRow({name,required,schema,description,deprecated},api){const resolved=resolve(schema,api);return make(`tr`,{role:`row`},make(`th`,{role:`rowheader`,scope:`row`},make(`code`,{class:`name`},name),showNote(required?`required`:`optional`),deprecated&&showNote(`deprecated`)),make(`td`,{role:`cell`},showType(schema),showConstraints(resolved),showProse(description??resolved.description)))}const ANYTHING=`*/*`;const SHORT={[ANYTHING]:`anything`,"application/json":`JSON`};function showContent(content,api){const medias=Object.entries(content).filter(([media])=>media!==ANYTHING);return medias.map(([media,{schema}])=>[medias.length>1&&make(`p`,{class:`media`},make(`code`,{},media)),showSchema(schema,api)])}function formatMedias(content){return Object.keys(content).map(media=>SHORT[media]??media).join(`, `)||`no body`}function showAnswer(status,answer,api,isOpen){const{content={},description,headers={}}=answer;const title=status==="default"?`Any other`:status;const inside=make(`div`);const details=make(`details`,{open:isOpen},make(`summary`,{},make(`h3`,{},make(`code`,{class:`status`},title),` `,description??``),make(`span`,{class:`quiet`},formatMedias(content))),inside);const open=()=>{if(details.open&&inside.childElementCount===0)fill(inside,[showHeaders(headers),showContent(content,api)])};details.addEventListener(`toggle`,open);open();return details}function showHeaders(headers){const names=Object.keys(headers);if(names.length===0)return void 0;const codes=names.flatMap((name,at)=>[at===0?``:`, `,make(`code`,{},name)]);return make(`p`,{},names.length===1?`With the header `:`With the headers `,codes)}const KEY=`theme`;const THEMES=[`auto`,`light`,`dark`];function makeThemeButton(){const button=make(`button`,{type:`button`});let theme=localStorage.getItem(KEY)??`auto`;const show=()=>{document.documentElement.dataset.theme=theme;button.textContent=`Theme: ${theme}`};button.addEventListener(`click`,()=>{theme=THEMES[(THEMES.indexOf(theme)+1)%THEMES.length]??`auto`;localStorage.setItem(KEY,theme);show()});show();return button}const DOCUMENT=new URL(`../openapi.json`,import.meta.url).href;const BASE=new URL(`.`,DOCUMENT).href;const TYPE=`types/`;const main=make(`main`,{});let api=readApi({info:{title:`API`,version:``}});let navigation;let hasTyped=false;let newer;addEventListener(`hashchange`,()=>{if(newer)start(newer);else show();main.querySelector(`h1`)?.focus();scrollTo(0,0)});addEventListener(`input`,()=>{hasTyped=true});addEventListener(`keydown`,onKey);document.body.append(main);await load();async function load(){try{const response=await fetch(DOCUMENT);const found=await response.json();if(!response.ok)throw new Error(found.detail??found.error);const wait=Number(response.headers.get(`retry-after`));if(wait>0)setTimeout(()=>void load(),wait*1e3);if(hasTyped)newer=found;else start(found)}catch(error){if(navigation)return;const why=error instanceof Error?error.message:String(error);fill(main,[make(`h1`,{},`The API can\'t be shown`),make(`pre`,{tabindex:`0`},why)])}}function start(found){newer=void 0;api=readApi(found);navigation=makeNavigation(api);fill(document.body,[make(`div`,{class:`side`},makeHeader(navigation.element),navigation.element),main]);show()}function makeHeader(list){const{title,version}=api.document.info;const menu=make(`button`,{type:`button`,class:`menu`,"aria-controls":list.id},`Operations`);const open=isOpen=>{list.classList.toggle(`open`,isOpen);menu.setAttribute(`aria-expanded`,String(isOpen))};menu.addEventListener(`click`,()=>open(!list.classList.contains(`open`)));list.addEventListener(`click`,({target})=>open(!(target instanceof Element&&target.closest(`a`))));open(false);const skip=make(`button`,{type:`button`,class:`skip`},`Skip to the content`);skip.addEventListener(`click`,()=>main.querySelector(`h1`)?.focus());const home=make(`a`,{href:`#`,class:`home`},title);const about=make(`p`,{},home,` `,make(`span`,{class:`quiet`},version));return make(`header`,{},skip,about,make(`div`,{class:`actions`},menu,makeThemeButton()))}function onKey(event){const isTyping=event.target instanceof Element&&event.target.matches(`input, textarea, select`);if(event.key!==`/`||isTyping||event.ctrlKey||event.metaKey||event.altKey)return;event.preventDefault();document.querySelector(`.menu[aria-expanded=false]`)?.click();navigation?.focusSearch()}function show(){stopRequest();const id=decodeHash();const{title}=api.document.info;const view=findView(id);document.title=view.title===``?title:`${view.title} – ${title}`;fill(main,[view.content]);navigation?.select(id)}function decodeHash(){try{return decodeURIComponent(location.hash.slice(1))}catch{return location.hash.slice(1)}}function findView(id){if(id===``)return{title:``,content:showOverview()};const operation=api.operations.find(one=>one.id===id);if(operation){const{method,path,summary=`${method} ${path}`}=operation;return{title:summary,content:showOperation(operation,api,BASE)}}const name=id.startsWith(TYPE)?id.slice(6):``;if(Object.hasOwn(api.schemas,name))return{title:name,content:showTypePage(name)};return{title:`Not found`,content:[makeTitle(`Not found`),make(`p`,{},`Nothing here is called `,make(`code`,{},id),`.`)]}}function makeTitle(title){return make(`h1`,{tabindex:`-1`},title)}function showTypePage(name){const uses=value=>JSON.stringify(value).includes(`"#/components/schemas/${encodeURIComponent(name)}"`);const users=[...Object.keys(api.schemas).filter(one=>one!==name&&uses(api.schemas[one])).map(makeTypeLink),...api.operations.filter(uses).map(({id,method,path})=>makeLink(id,`${method} ${path}`))];return[make(`header`,{},make(`p`,{class:`quiet`},`Type`),makeTitle(name)),showSchema(api.schemas[name],api),users.length>0&&[make(`h2`,{},`Used by`),make(`ul`,{class:`plain`},users)]]}function makeTypeLink(name){return makeLink(TYPE+name,name)}function makeLink(id,text){return make(`li`,{},make(`a`,{href:`#${encodeURIComponent(id)}`},text))}function showOverview(){const{info,servers=[]}=api.document;const schemes=Object.entries(api.schemes);const urls=servers.map(({url})=>make(`li`,{},make(`code`,{},toServerUrl(url,BASE))));const types=Object.keys(api.schemas).map(makeTypeLink);return[make(`header`,{},makeTitle(info.title),make(`p`,{class:`quiet`},`Version ${info.version}`)),showProse(info.description),make(`h2`,{},urls.length===1?`Server`:`Servers`),make(`ul`,{class:`plain`},urls),schemes.length>0&&[make(`h2`,{},`Credentials`),make(`p`,{},`This tab keeps them until you close it.`),make(`div`,{class:`narrow`},makeCredentialFields(schemes))],make(`h2`,{},`Programs`),make(`p`,{},`The `,make(`a`,{href:DOCUMENT},`OpenAPI document`),` describes all of this for programs.`),makeCode(`In TypeScript`,formatClient(toServerUrl(servers[0]?.url??`/`,BASE))).element,types.length>0&&[make(`h2`,{},`Types`),make(`ul`,{class:`types`},types)]]}function formatClient(url){return`// npx framework client --output client.ts\nimport { createClient } from "./client.ts";\n\nconst api = createClient({ baseUrl: ${JSON.stringify(url)} });`}'};
const DOCUMENT_PATH=`/openapi.json`;
const PAGE={"/docs":`page.html`,"/docs/":`page.html`,"/docs/page.js":`page.js`,"/docs/page.css":`page.css`};
const PAGE_PATHS=Object.keys(PAGE);
const TYPES={html:`text/html; charset=utf-8`,js:`text/javascript; charset=utf-8`,css:`text/css; charset=utf-8`};
function toDocumentFile(text){return toFile(text,`application/json; charset=utf-8`)}
function readPageFile(path,settings){const name=PAGE[path]??``;const text=PAGE_FILES[name]??``;const type=TYPES[name.replace(/^.*\./,``)]??``;if(path!==`/docs`&&path!==`/docs/`)return toFile(text,type);return toFile(path===`/docs/`?text.replaceAll(`"./docs/`,`"./`):text,type,[`Content-Security-Policy`,formatPolicy(settings?.servers??[])])}
function formatPolicy(servers){const absolute=servers.filter(server=>!server.startsWith(`/`));return[`default-src 'none'`,`script-src 'self'`,`style-src 'self'`,[`connect-src 'self'`,...new Set(absolute.map(server=>new URL(server).origin))].join(` `),`img-src 'self' data:`,`base-uri 'none'`,`form-action 'none'`,`frame-ancestors 'none'`,`require-trusted-types-for 'script'`,`trusted-types 'none'`].join(`; `)}
function toFile(text,type,more=[]){const tag=`"${createSha256().update(text).update(more.join()).digest(`base64url`).slice(0,22)}"`;return{text,headers:[`Content-Type`,type,`ETag`,tag,`Cache-Control`,`no-cache`,...SAFE,...more],tag}}
const SAFE=[`X-Content-Type-Options`,`nosniff`,`Referrer-Policy`,`no-referrer`];
const PATIENCE_MS=2e3;
const LARGEST=268435456;
function createLiveDocs({root,contract},{dev}){let whole;let quick;let patience;const page=PAGE_PATHS.map(path=>{let file;const read=async()=>{file??=readPageFile(path,contract);return file};return[path,read]});return createDocs({...Object.fromEntries(page),[DOCUMENT_PATH]:dev?findSoon:findWhole});function findWhole(){whole??=makeDocument(root,[],dev).catch(error=>{whole=void 0;throw error});return whole}async function findSoon(){patience??=setTimeout$1(PATIENCE_MS,void 0,{ref:false});const first=await Promise.race([findWhole(),patience]);if(first)return first;quick??=makeDocument(root,[`--no-infer`],dev);const soon=quick.then(file=>({...file,headers:[...file.headers,`Retry-After`,`2`]}));return Promise.race([findWhole(),soon])}}
function makeDocument(root,words,dev){const command=[frameworkPath(`tools/cli.js`),`openapi`,...words];return new Promise((resolve,reject)=>{execFile(process.execPath,command,{cwd:root,maxBuffer:LARGEST},(failure,stdout,stderr)=>{if(failure===null)return resolve(toDocumentFile(stdout));const detail=stripVTControlCharacters(stderr.trim()||failure.message);const error=`The OpenAPI document could not be made.`;reject(new HttpError(500,dev?{error,detail}:{error},{cause:failure}))})})}
async function runMainFile(root){const file=requireMainFile(root);try{await import(pathToFileURL(file).href)}catch(error){throw await toMistake(root,MAIN_FILE,error)}}
async function toMistake(root,file,error){const broken=await findBrokenFile(error);if(broken!==void 0&&!broken.isOfDatabase)return new Problem(broken.message,broken.hint,{cause:error});const{toPackageError}=await import("./commands.js").then((module)=>({toPackageError:module.toPackageError}));return toPackageError(root,error)??await placeLoadFailure(root,file,error)}
function nothingServed(){return new Problem(`${MAIN_FILE} has run, but nothing is served.`,"Call `await app.listen()` in it.")}
function neverLoaded(){return new Problem(`${MAIN_FILE} never finishes loading, so nothing is served.`,"An `await` at the top level of it, or of a module that it loads, waits for something that never comes.")}
function requireMainFile(root){const file=join(root,MAIN_FILE);if(existsSync(file))return file;throw new Problem(`${MAIN_FILE} is missing: the file that creates the app and listens.`,`Write it in ${root}:\n\n  import { createApp } from "framework";\n\n  export const app = await createApp();\n\n  await app.listen();`)}
const NOTHING_TYPED={takes:[],provided:[],calls:[],hooks:[]};
const ALIKE={differences:[]};
const OWN_MEDIA=/^(?:text\/plain|application\/json); charset=utf-8$/;
function compareAnswer(answer,{answers,definitions}){const{body,status}=answer;const declared=findAnswer(answers,status);if(declared===void 0)return answers.length===0?ALIKE:differ(`status`,describeStatus(status,answers));if(typeof body!==`string`||declared.bodies.some(({media})=>media===`*/*`))return ALIKE;const type=contentTypeOf(answer);const isJson=JSON_MEDIA.pattern.test(type);const found=declared.bodies.find(({media})=>JSON_MEDIA.pattern.test(media)===isJson);if(found===void 0)return OWN_MEDIA.test(type)?differ(`media`,describeMedia(isJson)):ALIKE;const{shape}=found;if(isJson&&compareValue(body,shape,definitions).length===0)return ALIKE;const value=isJson?parseJson(body):body;if(value===void 0)return differ(`media`,`the body: JSON, but got a text that is not JSON`);return{differences:compareValue(value,shape,definitions),compared:{value,shape}}}
function findAnswer(answers,status){return answers.find(one=>one.status===status)??answers.find(one=>one.status==="default")}
function differ(code,text){return{differences:[{pointer:``,code,text}]}}
function describeStatus(status,answers){return`the status: ${listWords(answers.map(one=>String(one.status)))}, but got ${status}`}
function describeMedia(isJson){return isJson?`the body: not JSON, but got JSON`:`the body: JSON, but got a text`}
function parseJson(text){try{return JSON.parse(text)}catch{return}}
function contentTypeOf({headers}){const at=headers.findIndex((word,index)=>index%2===0&&word.toLowerCase()===`content-type`);return at===-1?``:headers[at+1]??``}
function compareValue(value,shape,definitions){try{return findIssuesOf(value,shape,definitions).map(({pointer,code,message})=>({pointer,code,text:`${pointer||`the body`}: ${message}${code===`required`?``:`, but got ${describeAt(value,pointer)}`}`}))}catch(error){if(error instanceof HttpError)return[];throw error}}
function describeAt(value,pointer){const found=pointer.split(`/`).slice(1).reduce((inner,key)=>Object(inner)[unescapeKey(key)],value);if(Array.isArray(found))return`an array`;if(typeof found===`object`&&found!==null)return`an object`;return shorten(JSON.stringify(found))}
function shorten(text){return text.length>40?`${text.slice(0,40)}…`:text}
function diagnoseDifferences({method,pattern,location},[first,...more]){if(first===void 0)return void 0;const what=more.length===0?first.text:`${first.text}, and ${more.length} more`;return diagnose(`FW970`,{route:`${method} ${pattern}`,what},location)}
function diagnoseExcess({method,pattern,location},pointers){if(pointers.length===0)return void 0;return diagnose(`FW971`,{route:`${method} ${pattern}`,pointers},location)}
function createNews(){const known=new Set;return({code,pointer})=>{const key=`${code} ${pointer.replace(/\/\d+(?=\/|$)/g,`/*`)}`;const isNew=!known.has(key);known.add(key);return isNew}}
const MOST_NAMED=8;
function chooseTests(root,files,words){if(words.length===0)return[...files];const chosen=words.flatMap(word=>{const part=toPart(root,word);const matches=files.filter(file=>file.toLowerCase().includes(part));if(matches.length===0)throw new Problem(`No test file has \`${word}\` in its path.`,suggest(word,files));return matches});return files.filter(file=>chosen.includes(file))}
function toPart(root,word){const path=word.replaceAll(`\\`,`/`);return(path.startsWith(`${root}/`)?path.slice(root.length+1):path.replace(/^\.\//,``)).toLowerCase()}
function suggest(word,files){const names=files.flatMap(file=>[file,basename(file),basename(file).replace(/\..*/,``)]);const nearest=closest(word,names);return nearest===void 0?list$1(files):`Did you mean \`${nearest}\`?`}
function list$1(files){if(files.length===0)return`There are no test files.`;const more=files.length-MOST_NAMED;const named=more>0?[...files.slice(0,MOST_NAMED),`${more} more`]:files;return`There ${files.length===1?`is`:`are`} ${listed(named)}.`}
const TEMPORARY=/^\.framework-[0-9a-f]{12}\.tmp$/;
function temporaryBeside(path){return join(dirname(path),`.framework-${crypto.randomUUID().slice(-12)}.tmp`)}
function removeLeftovers(folder){attempt(()=>{for(const entry of readdirSync(folder,{withFileTypes:true})){const path=join(folder,entry.name);if(TEMPORARY.test(entry.name))removeFile(path);else if(entry.isDirectory()&&!NOT_OURS.includes(entry.name))removeLeftovers(path)}})}
const NOT_OURS=[`node_modules`,`.git`];
function writeDurably(path,content){const file=openSync(path,`wx`,438);try{writeFileSync(file,content);fsyncSync(file)}finally{closeSync(file)}}
function syncFolder(folder){attempt(()=>{const file=openSync(folder,`r`);try{fsyncSync(file)}finally{closeSync(file)}})}
function removeFile(path){try{unlinkSync(path);return true}catch(error){return isMissing(error)}}
function missingFolders(folder){return isThere(folder)?[]:[...missingFolders(dirname(folder)),folder]}
function isThere(path){try{lstatSync(path);return true}catch(error){if(isMissing(error))return false;throw error}}
function readBytes(path){try{return readFileSync(path)}catch(error){if(isMissing(error))return null;throw error}}
function findPlace(root,file){if(isAbsolute(file)||file.split(/[/\\]/).includes(`..`))return void 0;const missing=[];let existing=resolve(root,file);while(!isThere(existing)){missing.unshift(basename(existing));existing=dirname(existing)}const place=join(realpathSync(existing),...missing);const inside=relative(realpathSync(root),place);return inside===`..`||inside.startsWith(`..${sep}`)||isAbsolute(inside)?void 0:place}
function attempt(act){try{act();return true}catch{return false}}
function explain(error){const code=codeOf(error);if(code===void 0)throw error;return code===`ENOENT`?`a symbolic link leads to nothing`:explainSystemError(error)}
const PATIENCE={tellAfter:1e3,giveUpAfter:3e4};
const FIRST_PAUSE_MS=5;
const LONGEST_PAUSE_MS=100;
const PRIVATE_FOLDER=`.framework`;
const LOCK=`lock`;
const TRY=`try-`;
const HELD=process.platform===`win32`?[`EEXIST`,`ENOTEMPTY`,`EPERM`,`EACCES`]:[`EEXIST`,`ENOTEMPTY`];
const SIGNALS=[`SIGINT`,`SIGTERM`,`SIGHUP`];
async function withProjectLock(root,tell,work){const lock=await takeLock(root,tell);if(`severity`in lock)return lock;const letSignalsPass=holdSignals();try{if(lock.isStolen)removeLeftovers(root);return await work()}finally{lock.release();await letSignalsPass()}}
function holdSignals(){let held;const hold=signal=>{held=signal};for(const signal of SIGNALS)process.on(signal,hold);return async()=>{await new Promise(resolve=>setImmediate(resolve));for(const signal of SIGNALS)process.off(signal,hold);if(held!==void 0)process.kill(process.pid,held)}}
function isInterrupted(root){const holders=list(join(root,PRIVATE_FOLDER,LOCK)).filter(name=>HOLDER.test(name));return holders.length>0&&holders.every(isGone)}
async function takeLock(root,tell,patience=PATIENCE){const own=createHolder();const folder=join(root,PRIVATE_FOLDER);const claim={folder:join(folder,TRY+own),lock:join(folder,LOCK),isStolen:false};try{createClaim(root,claim,own);const holder=await waitFor(claim,tell,patience);if(holder===void 0)return{isStolen:claim.isStolen,release:()=>release(folder,own)};rmSync(claim.folder,{recursive:true});return diagnose(`FW625`,{holder:describeHolder(holder),lock:`${PRIVATE_FOLDER}/${LOCK}`})}catch(error){attempt(()=>rmSync(claim.folder,{recursive:true,force:true}));attempt(()=>rmdirSync(folder));return diagnose(`FW622`,{file:PRIVATE_FOLDER,why:explain(error)})}}
function createClaim(root,claim,own){openPrivateFolder(join(root,PRIVATE_FOLDER));try{mkdirSync(claim.folder)}catch(error){if(!isMissing(error))throw error;createClaim(root,claim,own)}writeFileSync(join(claim.folder,own),``)}
function openPrivateFolder(folder){try{mkdirSync(folder)}catch(error){if(codeOf(error)!==`EEXIST`)throw error;const found=lstatSync(folder,{throwIfNoEntry:false});if(found===void 0)openPrivateFolder(folder);else if(!found.isDirectory())throw error}}
async function waitFor(claim,tell,{tellAfter,giveUpAfter}){const began=performance.now();let isTold=false;let last={holder:``,since:began};for(let pause=FIRST_PAUSE_MS;;pause=Math.min(pause*2,LONGEST_PAUSE_MS)){const holder=tryToTake(claim);if(holder===void 0)return void 0;const now=performance.now();if(holder!==last.holder)last={holder,since:now};if(now-last.since>=giveUpAfter)return holder;if(!isTold&&now-began>=tellAfter){tell(`Waiting for ${describeHolder(holder)}, which is changing this project.`);isTold=true}await setTimeout$1(pause*(.5+Math.random()))}}
function tryToTake(claim){const holder=findHolder(claim);if(holder!==void 0)return holder;attempt(()=>rmdirSync(claim.lock));try{renameSync(claim.folder,claim.lock);return}catch(error){if(HELD.includes(codeOf(error)))return findHolder(claim)??``;throw error}}
function findHolder(claim){for(const holder of list(claim.lock)){if(!isGone(holder))return holder;claim.isStolen=true;removeFile(join(claim.lock,holder))}}
function release(folder,own){removeFile(join(folder,LOCK,own));attempt(()=>rmdirSync(join(folder,LOCK)));const tries=list(folder).filter(entry=>entry.startsWith(TRY)&&isGone(entry.slice(4)));for(const entry of tries)attempt(()=>rmSync(join(folder,entry),{recursive:true}));attempt(()=>rmdirSync(folder))}
function list(folder){try{return readdirSync(folder)}catch(error){if(isMissing(error))return[];throw error}}
const HOLDER=/^(?<host>[^,]*),(?<pid>\d+),(?<began>\d*),[0-9a-f]+$/;
function createHolder(){const{pid}=process;return[host(),pid,readProcess(pid)?.began??``,crypto.randomUUID().slice(-6)].join(`,`)}
function isGone(holder){const parts=HOLDER.exec(holder)?.groups;if(parts===void 0)return true;if(parts.host!==host())return false;const pid=Number(parts.pid);if(!isRunning(pid))return true;const found=readProcess(pid);return found!==void 0&&(found.isOver||found.began!==parts.began)}
function describeHolder(holder){const parts=HOLDER.exec(holder)?.groups;if(parts===void 0)return`another command`;return parts.host===host()?`process ${parts.pid}`:`process ${parts.pid} on ${parts.host}`}
function host(){return hostname().replace(/[^\w.-]/g,``)}
function isRunning(pid){try{process.kill(pid,0);return true}catch(error){return codeOf(error)===`EPERM`}}
function readProcess(pid){try{const stat=readFileSync(`/proc/${pid}/stat`,`utf8`);const[state,...fields]=stat.slice(stat.lastIndexOf(`)`)+2).split(` `);return{began:fields[18]??``,isOver:state===`Z`||state===`X`}}catch{return}}
const BUILT_SERVER=`dist/server.js`;
const BUILT_MIGRATE=`dist/migrate.js`;
const BUILT_PACKAGE=`dist/package.json`;
const RECORD=`dist/server.inputs.json`;
const DISCOVERED_FOLDERS=[APPS_FOLDER,ROUTES_FOLDER];
const SOURCE=/\.(?:ts|toml)$/;
function writeBuildRecord(root,files){const inputs=[...new Set([...files,...discoverableFiles(root),...packageFiles(root)])].sort();const hashes=Object.fromEntries(inputs.map(file=>[file,hashFile(join(root,file))]));writeFileSync(join(root,RECORD),`${JSON.stringify(hashes,null,2)}\n`)}
function newerThanBuild(root){const hashes=readBuildRecord(root);if(hashes===void 0)return RECORD;return[...new Set([...Object.keys(hashes),...discoverableFiles(root),...packageFiles(root)])].find(file=>{const hash=hashFile(join(root,file));return hash!==hashes[file]&&!(hash===void 0&&isLeftBehind(file))})}
function wasBuiltFrom(root,file){return readBuildRecord(root)?.[file]!==void 0}
function isLeftBehind(file){return!(!file.startsWith(`../`)&&!isInstalled(file))||file===`package.json`||isLockfile(basename(file))}
function packageFiles(root){const lockfile=nearestLockfile(root);return[join(root,PACKAGE_FILE),...lockfile?[lockfile.path]:[]].filter(path=>existsSync(path)).map(path=>toPath(root,path))}
function readBuildRecord(root){try{const hashes=JSON.parse(readFileSync(join(root,RECORD),`utf8`));return typeof hashes===`object`&&hashes!==null?hashes:void 0}catch{return}}
function discoverableFiles(root){const found=DISCOVERED_FOLDERS.filter(folder=>existsSync(join(root,folder))).flatMap(folder=>readdirSync(join(root,folder),{recursive:true,withFileTypes:true}).filter(entry=>entry.isFile()&&SOURCE.test(entry.name)).map(entry=>toPath(root,join(entry.parentPath,entry.name))));return[...[HOOKS_FILE,MIGRATE_FILE].filter(file=>existsSync(join(root,file))),...found]}
function hashFile(file){return existsSync(file)?createSha256().update(readFileSync(file)).digest(`hex`):void 0}
function unlessIdle(promise,toProblem){return new Promise((resolve,reject)=>{const onIdle=()=>reject(toProblem());process.once(`beforeExit`,onIdle);promise.then(resolve,reject).finally(()=>process.off(`beforeExit`,onIdle))})}
async function startProject(root){loadEnvironment(root,`production`);const built=join(root,BUILT_SERVER);const newer=existsSync(built)?newerThanBuild(root):void 0;if(existsSync(built)&&newer===void 0){await unlessIdle(import(pathToFileURL(built).href),neverLoaded);return{kind:`built`}}setLaunch({log:createProductionLog()});await registerModules();await unlessIdle(runMainFile(root),neverLoaded);await unlessIdle(firstServer,nothingServed);return newer===void 0?{kind:`source`}:{kind:`stale`,newer}}
export{BUILT_MIGRATE,BUILT_PACKAGE,BUILT_SERVER,DOCUMENT_PATH,HOOKS,NOTHING_TYPED,PAGE_PATHS,SLOW_MS,attempt,badAppName,badParamName,bindRoutes,chooseTests,compareAnswer,createAliases,createHolder,createHooks,createLiveDocs,createNews,diagnoseDifferences,diagnoseExcess,diagnoseMissing,diagnoseMissing$1,diagnoseOther,diagnoseTwins,diagnoseUnread,differsByCase,eraseTypes,explain,explain$1,explainHiddenFolder,explainSize,explainTarget,findInerasable,findPackage,findPlace,formatEntry,formatExplanation,formatHandlerName,formatMethodExport,formatPattern,formatReason,formatRouteFile,formatSlow,formatSummary,functionsOf,hooksFiles,isAlias,isBadName,isFunctionName,isGone,isHandlerName,isInstalled,isInterrupted,isOwnFile,isPackageName,isRecord,isRefusal,isThere,loadCors,loadEraser,loadProject,loadWhole,locate$1 as locate,locateOffset,mayBeInerasable,methodOf,missingFolders,nameOf,namesIn,nearestLockfile,newerThanBuild,nodesIn,nothingServed,packageName,packageOf,paramsIn,parseHandlerName,parseMethodExport,parseOnce,parsePrefix,parseRouteFile,pathOf,placeLoadFailure,projectModules,readBytes,readConfig,readCurrentProject,readPageFile,registerModules,removeFile,requireMainFile,runMainFile,runModule,shapeOf,spanOf,splitProject,startProject,suggestHandlerName,suggestMethodExport,syncFolder,takeLock,temporaryBeside,textOf,toDifference,toDocumentFile,toMistake,toPath,toProjectError,toRoute,unlessIdle,wasBuiltFrom,withProjectLock,writeBuildRecord,writeDurably};
