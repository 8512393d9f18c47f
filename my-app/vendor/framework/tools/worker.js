
import{NOTHING_TYPED,SLOW_MS,bindRoutes,compareAnswer,createLiveDocs,createNews,diagnoseDifferences,diagnoseExcess,explain$1 as explain,formatExplanation,formatSlow,loadCors,nothingServed,projectModules,registerModules,runMainFile,runModule,splitProject,toProjectError,toRoute}from"./serve.js";
import{DATABASE_FOLDER,HOOKS_FILE,MAIN_FILE,ProjectError,closest,loadEnvironment,mustBeReported}from"./shared.js";
import{applyChange,refuseHost,toReport,warmFile}from"./dev.js";
import nodeModule,{createRequire}from"node:module";
import{existsSync,mkdirSync,realpathSync,writeFileSync}from"node:fs";
import{dirname,join,sep}from"node:path";
import{fileURLToPath,pathToFileURL}from"node:url";
import{kleur}from"./libraries.js";
import{DEFAULT_SETTINGS,escapeControl,escapeKey,formatLogEvent}from"../runtime/log.js";
import{candidatesOf,formatPlace,itemOf,resolve as resolve$1}from"../runtime/wire.js";
import inspector from"node:inspector";
import"../index.js";
import{createCoreApp,setLaunch}from"../runtime/app.js";
import{closeServers,isClosedAsked,listenOn,useFront,useTransport}from"../runtime/node.js";
import{HttpError}from"../runtime/message.js";
import{connect}from"node:net";
import{chainHooks}from"../runtime/hooks.js";
function adviseOnPairs(bound,log){const{route}=bound;const call=bound.handler;let isKnown=false;const look=result=>{if(isKnown||!isArrayWithStatus(result))return;isKnown=true;const{file,line,column}=route.location;const message=`\`${route.handler}\` returned [array, ${result[1]}]: that is a JSON array.`;const place=`(${file}:${line}:${column})`;log.info({message:`${message} For a status write reply(array, ${result[1]}). ${place}`})};const handler=(...args)=>{const result=call(...args);if(result instanceof Promise)result.then(look,()=>void 0);else look(result);return result};return{...bound,handler}}
function isArrayWithStatus(result){if(!Array.isArray(result)||result.length!==2||!Array.isArray(result[0]))return false;const status=result[1];return Number.isInteger(status)&&Number(status)>=200&&Number(status)<=599}
const LAST_MOMENT_MS=250;
const CLOSING_MS=2e3;
const OWN_LISTENERS=1;
let hasBegun=false;
let wasSignalled=false;
function followSupervisor(){process.on(`disconnect`,()=>void drain());for(const signal of[`SIGINT`,`SIGHUP`])process.on(signal,()=>{});process.on(`SIGTERM`,()=>{wasSignalled=true})}
function isDraining(){return hasBegun}
async function drain(){if(hasBegun)return;hasBegun=true;await closeServers();const isHeard=wasSignalled||process.listenerCount(`SIGTERM`)>OWN_LISTENERS;if(!wasSignalled)process.emit(`SIGTERM`,`SIGTERM`);if(process.connected)process.disconnect();setTimeout(()=>process.exit(),isHeard||isClosedAsked()?CLOSING_MS:LAST_MOMENT_MS).unref()}
const SCHEME=/^\w+:\/\//;
function createFront(app,hosts){return{settings:app.settings,log:app.log,get running(){return app.running},closesConnections:true,refuse:(exchange,answer)=>app.refuse(exchange,answer),respond(exchange){queueMicrotask(()=>{const refusal=refuseHost(exchange.origin.replace(SCHEME,``),hosts);if(refusal)app.refuse(exchange,refusal);else app.respond(exchange)})}}}
var Parts=class{#project;#loaders;#parts;#bound=new Map;#diagnostics=[];#failed=new Set;#asked=Promise.resolve();constructor(project,loaders){this.#project=project;this.#loaders=loaders;this.#parts=splitProject(project)}get failed(){return[...this.#failed]}async load(first){const{routes,files}=this.#project;const needed=first??projectModules(this.#project).map(({file})=>file);for(const file of needed)await this.#collect(file,this.#loaders.run(file));const root={...this.#project,apps:[],files:files.filter(file=>file===HOOKS_FILE),routes:[]};const outside=await this.#collect(HOOKS_FILE,this.#loaders.bind(root));for(const file of needed)await this.#load(file);if(this.#diagnostics.length>0)await this.loadRest(()=>false);const bound=new Map;for(const part of this.#bound.values())for(const[typed,route]of await part)bound.set(typed,route);return{routes:routes.map(typed=>bound.get(typed)??this.#postpone(typed)),unmatched:outside?.unmatched}}async loadRest(isOver){for(const file of this.#parts.keys()){await this.#asked;await new Promise(resolve=>setImmediate(resolve));if(isOver())return;await this.#load(file)}if(this.#diagnostics.length>0)throw toProjectError(this.#project.root,this.#diagnostics)}async#load(file){const part=this.#parts.get(file);if(part)await this.#collect(file,this.#bind(file,part))}async#collect(file,loading){try{return await loading}catch(error){if(!(error instanceof ProjectError))throw error;this.#failed.add(file);this.#diagnostics.push(...error.diagnostics);return}}#bind(file,part){const before=this.#bound.get(file);if(before)return before;const bound=this.#loaders.bind(part).then(({routes})=>new Map(routes.map((route,index)=>[part.routes[index],route])));this.#bound.set(file,bound);return bound}#postpone(typed){const postponed={route:toRoute(typed),handler:NOT_LOADED,hooks:async(app,exchange,run)=>{try{const{hooks,serve,handler}=await this.#ask(typed);Object.assign(postponed,{hooks,serve,handler})}catch(error){return app.failure(error,exchange)}return(postponed.hooks??chainHooks([]))(app,exchange,run)}};return postponed}async#ask(typed){const part=this.#parts.get(typed.module);if(part===void 0)throw new Error(`${typed.module} serves no route.`);const asked=this.#bind(typed.module,part);this.#asked=Promise.allSettled([this.#asked,asked]);try{const bound=(await asked).get(typed);if(bound===void 0)throw new Error(`${typed.module} does not serve ${typed.pattern}.`);return bound}catch(error){throw error instanceof ProjectError?new HttpError(500,{error:`The project is not served.`,detail:error.message}):error}}};
const NOT_LOADED=()=>{throw new Error(`The handler is not loaded yet.`)};
const FILE=`routes/rehearsal.ts`;
const SOURCE=`import { HttpError, type Request, type int } from "framework";

interface Item<Tag extends object = Record<string, unknown>> {
  readonly id: int;
  name?: string;
  tags: readonly Tag[];
}

type Found = Item | { rehearsed: boolean };

export class Items<T> {
  readonly #items: Map<number, T> = new Map<number, T>();
  find(id: number): T | undefined {
    return this.#items.get(id) as T | undefined;
  }
}

export const items: Items<Item> = new Items();

export async function get(request?: Request): Promise<Found> {
  const item = items.find(1)!;
  if (item?.name === \`\${1}\`) throw new HttpError(404, "There is no such item");
  return { ...item, rehearsed: [1].every((one: number): boolean => one > 0) satisfies boolean };
}
`;
const LOCATION={file:FILE,line:1,column:1};
const PROJECT={settings:DEFAULT_SETTINGS,apps:[],routes:[{...NOTHING_TYPED,method:`GET`,pattern:`/rehearsal`,segments:[`rehearsal`],arguments:[],handler:`get`,module:FILE,app:null,convention:`routes`,location:LOCATION}],guards:[],definitions:{},diagnostics:[],files:[FILE]};
const SILENT={info(){},error(){}};
async function rehearse(root,bind,project){const file=join(root,FILE);mkdirSync(dirname(file),{recursive:true});writeFileSync(file,`${SOURCE}// ${process.pid}\n`);const options={settings:DEFAULT_SETTINGS,dev:true,log:SILENT};const{routes}=await bind({...PROJECT,root});const before=useTransport(listenOn);const listening=createCoreApp(routes,options).listen({host:`127.0.0.1`,port:0});useTransport(before);const server=await listening;await ask(server.port);await server.close();if(project===void 0)return;splitProject(project);const handler=()=>{};createCoreApp(project.routes.map(typed=>({route:toRoute(typed),handler})),options)}
function ask(port){return new Promise((resolve,reject)=>{connect(port,`127.0.0.1`).on(`error`,reject).on(`close`,()=>resolve()).resume().end(`GET /rehearsal HTTP/1.1\r
Host: rehearsal\r
Connection: close\r
\r
`)})}
const COLORS={2:text=>kleur.green(text),3:text=>kleur.cyan(text),4:text=>kleur.yellow(text),5:text=>kleur.red(text)};
function createDevLog(color){return{info:event=>console.log(formatRequest(event,color)),error:event=>console.error(formatLogEvent(event))}}
function formatRequest(event,color){const{duration,message,method,path,status}=event;if(status===void 0||duration===void 0)return message;kleur.enabled=color;const shown=formatLogEvent({message:``,...method&&{method},...path&&{path}});return`  ${(COLORS[Math.floor(status/100)]??String)(String(status))} ${kleur.dim(`${duration.toFixed(1).padStart(6)} ms`)}  ${shown}`}
const SHOWN=3;
const KEY_LENGTH=60;
const MAX_DEPTH=100;
function watchUndeclared(inputs,route,tell){const seen=new WeakSet;const watch=one=>({...one,read(reader){const found=seen.has(reader)?[]:findUndeclared(inputs,route,reader);seen.add(reader);if(found.length>0)tell(escapeControl(`${route.method} ${reader.request.path}: ${format(found)}`));return one.read(reader)}});const calls=inputs.calls?.map((one,at)=>route.calls[at]?.isEarly?one:one&&watch(one));return{...watch(inputs),...calls&&{calls}}}
function format(found){return found.slice(0,SHOWN).map(({in:place,pointer,key,declared})=>{const nearest=closest(key,declared);const hint=nearest===void 0?``:` (did you mean ${nearest}?)`;return`${formatPlace({in:place,pointer}).slice(0,KEY_LENGTH)} in the ${place} is not declared${hint}`}).join(`, `)+(found.length>SHOWN?`, and ${found.length-SHOWN} more`:``)}
function findUndeclared(inputs,route,reader){const{calls=[],definitions}=inputs;const takes=[...calls,inputs].flatMap(one=>one?.takes??[]);const hasRequest=[route,...route.calls].some(inputs=>inputs.arguments.includes(`request`));return[`body`,`query`,`form`].flatMap(place=>{const taken=takes.filter(take=>take.in===place);if(taken.length===0||place===`query`&&hasRequest)return[];const isBody=place===`body`;const shape=isBody?taken[0]?.shape:toKeys(taken,definitions);return(shape?findOthers(isBody?reader.body:reader.all(place),shape,definitions):[]).map(other=>({in:place,...other}))})}
function toKeys(takes,definitions){const names=[];for(const{key,shape}of takes){const known=settle(shape,definitions);if(key!==void 0)names.push(key);else if(known?.kind!==`object`||known.others!==void 0)return void 0;else names.push(...known.properties.map(({name})=>name))}return{kind:`object`,properties:names.map(name=>({name,shape:ANY,optional:true}))}}
const ANY={kind:`unknown`};
function findOthers(value,given,definitions,pointer=``,depth=0){const shape=settle(given,definitions,value);if(typeof value!==`object`||value===null||shape===void 0||depth===MAX_DEPTH)return[];const inner=(key,item,itemShape)=>findOthers(item,itemShape,definitions,`${pointer}/${escapeKey(key)}`,depth+1);if(Array.isArray(value))return value.flatMap((item,index)=>{const itemShape=itemOf(shape,index);return itemShape?inner(String(index),item,itemShape):[]});if(shape.kind!==`object`)return[];const declared=shape.properties.map(({name})=>name);return Object.entries(value).flatMap(([key,item])=>{const property=shape.properties.find(({name})=>name===key)?.shape??shape.others;if(property)return inner(key,item,property);return[{pointer:`${pointer}/${escapeKey(key)}`,key,declared}]})}
function settle(shape,definitions,value){const known=resolve$1(shape,definitions);if(known.kind!==`union`)return known;const[only,...more]=candidatesOf(known,value,definitions);return more.length===0?only:void 0}
const KEPT=10;
const SHOWN_VALUES=3;
const LONGEST_HELD=2**20;
function createResults(ask,report){const held=new Map;return{hold(bound){const name=`${bound.route.method} ${bound.route.pattern}`;const route=new HeldRoute(bound.route,()=>ask(name),report);held.set(name,route);return{...bound,look(answer){route.look(answer);return answer}}},learn:(name,declared)=>held.get(name)?.learn(declared)}}
var HeldRoute=class{#route;#ask;#report;#isNew=createNews();#declared;#kept=[];constructor(route,ask,report){this.#route=route;this.#ask=ask;this.#report=report}look(answer){const declared=this.#declared;if(declared===null||typeof answer.body===`string`&&answer.body.length>LONGEST_HELD)return;if(declared)setImmediate(()=>this.#judge(answer,declared));else if(this.#kept.length<KEPT&&this.#kept.push(answer)===1)this.#ask()}learn(declared){this.#declared=declared??null;if(declared)for(const answer of this.#kept)this.#judge(answer,declared);this.#kept=[]}#judge(answer,declared){const{differences,compared}=compareAnswer(answer,declared);const wrong=diagnoseDifferences(this.#route,differences.filter(this.#isNew));if(wrong)this.#report(wrong);const fresh=(compared?findOthers(compared.value,compared.shape,declared.definitions):[]).map(({pointer})=>pointer).filter(pointer=>this.#isNew({code:`excess`,pointer}));const more=diagnoseExcess(this.#route,fresh.slice(0,SHOWN_VALUES));if(more)this.#report(more)}};
const BEHIND_MS=50;
const REHEARSAL_MS=400;
const LISTEN_LIMIT_MS=2e3;
const[root=process.cwd(),colors,debuggable,cache=``]=process.argv.slice(2);
const hasColors=colors===`color`;
const ROOT_URL=`${pathToFileURL(realpathSync(root)).href}/`;
const listening=new Promise(resolve=>{useTransport(async(server,address)=>{resolve({server,address});return address})});
let project;
let httpServer;
let isOutdated=false;
process.on(`message`,(message,socket)=>{if(message.kind===`project`)project=applyChange(project,message.change);else if(message.kind===`load`)load(message.first);else if(message.kind===`outdated`)isOutdated=true;else if(message.kind===`connection`)take(message.id,socket);else if(message.kind===`declared`)results.learn(message.route,message.declared);else{send({kind:`pong`});if(message.kind===`drain`)drain()}});
followSupervisor();
for(const stream of[process.stdout,process.stderr])stream.on(`error`,()=>{});
const compileCache=nodeModule;
const commonjs=createRequire(import.meta.url);
const log=createDevLog(hasColors);
setLaunch({dev:true,log});
const results=createResults(route=>send({kind:`asks`,route}),report);
const ready=warmUp();
let rehearsal;
const idle=setTimeout(()=>{rehearsal=ready.then(()=>rehearse(cache,small=>bindRoutes(small),project)).catch(()=>{})},REHEARSAL_MS).unref();
async function warmUp(){await registerModules({keepsColumns:true,imports:{root:ROOT_URL,onImport:sendImport}});await import(pathToFileURL(warmFile(cache)).href).catch(()=>{});compileCache.enableCompileCache?.(cache);if(existsSync(join(root,`database`)))await import("./generate.js").then((module)=>({generateDatabase:module.generateDatabase})).catch(()=>{})}
function send(message){process.send?.(message)}
function sendImport(url){try{const path=fileURLToPath(url);if(!path.startsWith(join(cache,sep)))send({kind:`import`,path})}catch{}}
function take(id,socket){send({kind:`taken`,id});if(socket)httpServer?.emit(`connection`,socket)}
function report(diagnostic){console.error(toReport(new ProjectError(root,[diagnostic]),hasColors).terminal)}
async function load(first){clearTimeout(idle);await ready;await rehearsal;if(debuggable)openDebugger();if(project===void 0)throw new Error(`The worker was not given a project to load.`);const parts=createParts(project);try{send({kind:`served`,address:await serveProject(project,parts,first)});await new Promise(resolve=>setTimeout(resolve,BEHIND_MS));await parts.loadRest(()=>isOutdated||isDraining());sendRequired();setImmediate(()=>compileCache.flushCompileCache?.())}catch(error){send({kind:`refused`,report:toReport(error,hasColors),failed:parts.failed})}}
function createParts(project){return new Parts(project,{async bind(part){const{routes,unmatched}=await bindRoutes(part,sendSlow,(inputs,route)=>watchUndeclared(inputs,route,line=>log.info({message:`  ${line}`})));return{routes:routes.map(bound=>results.hold(adviseOnPairs(bound,log))),unmatched}},run:file=>runModule(root,file,sendSlow)})}
async function serveProject(project,parts,first){loadEnvironment(root,`development`);const table=project.routes;const explainMiss=(method,path)=>formatExplanation(explain(table,method,path));setLaunch({explainMiss});useFront((app,host)=>createFront(app,[...project.dev?.hosts??[],host]));await runProject(project,parts,first);sendRequired();const{server,address}=await Promise.race([listening,refuseSilence()]);httpServer=server;process.on(`uncaughtException`,()=>void drain());return address}
async function runProject(project,parts,first){let slow=startTimer();const loadProject=async isWhole=>{clearTimeout(slow);const loaded=await parts.load(isWhole?void 0:first);slow=startTimer();const{settings}=project;return{...loaded,settings,cors:await loadCors(project),docs:createLiveDocs(project,{dev:true})}};setLaunch({loadProject});try{await runMainFile(root)}finally{clearTimeout(slow)}function startTimer(){return setTimeout(()=>sendSlow(formatSlow(MAIN_FILE)),SLOW_MS)}}
function sendSlow(what){send({kind:`slow`,what})}
function sendRequired(){for(const path of Object.keys(commonjs.cache)){const{href}=pathToFileURL(path);if(mustBeReported(href,ROOT_URL))sendImport(href)}}
function refuseSilence(){return new Promise((_resolve,reject)=>{setTimeout(()=>reject(nothingServed()),LISTEN_LIMIT_MS).unref()})}
function openDebugger(){inspector.open(0,`127.0.0.1`);send({kind:`debuggable`,port:Number(new URL(inspector.url()??``).port)})}
export{};
