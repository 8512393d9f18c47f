
import{ProjectError,hasErrors,readAddress}from"./shared.js";
import{readSources}from"./convention.js";
import{isInstalled,projectModules}from"./serve.js";
import{describeChange,toReport}from"./dev.js";
import{parentPort,workerData}from"node:worker_threads";
function createFirstFiles(){let before=new Map;return({project,types:{modules}},unproven)=>{const entries=projectModules(project).map(({file})=>file);const reached=followImports(entries,modules);const changed=[...reached].filter(([file,{module}])=>unproven.includes(file)||before.get(file)?.module!==module);before=reached;const named=new Set(changed.map(([file])=>file));const needed=[...reached].filter(([file,{module,isCircular}])=>named.has(file)||isCircular||acts(module,modules));const first=new Set(needed.map(([,{by}])=>by));return{first:entries.filter(entry=>first.has(entry)),unproven:[...named]}}}
function acts({file,hasEffects,sources},modules){const isUnread=text=>modules.locate(file,text)!==void 0&&modules.resolve(file,text)===void 0;return hasEffects||sources.some(({text})=>isUnread(text))}
function followImports(entries,modules){const reached=new Map;const open=[];const places=new Map;for(const entry of entries)visit(entry,entry);return reached;function visit(file,by){const known=places.get(file);if(known!==void 0)return known;const module=reached.has(file)?void 0:modules.get(file);if(module===void 0)return Number.POSITIVE_INFINITY;reached.set(file,{module,by,isCircular:false});const place=open.push(file)-1;places.set(file,place);let lowest=place;for(const{text}of module.sources){const imported=modules.resolve(file,text);if(imported!==void 0)lowest=Math.min(lowest,visit(imported,by))}if(lowest===place)close(open.splice(place));return lowest}function close(connected){for(const file of connected){places.delete(file);const one=reached.get(file);if(one)one.isCircular=connected.length>1}}}
const{root,hasColors}=workerData;
let sources;
let sent;
const findFirst=createFirstFiles();
let turn=Promise.resolve();
parentPort?.on(`message`,asked=>{turn=turn.then(()=>answer(asked))});
async function answer(asked){const answered=asked.kind===`read`?read(asked.unproven):{kind:`declared`,declared:await declaredOf(asked.route)};parentPort?.postMessage(answered);if(answered.kind===`sound`&&answered.needed===void 0&&sources)findFirst(sources,[])}
async function declaredOf(name){const route=sources?.project.routes.find(({method,pattern})=>`${method} ${pattern}`===name);if(sources===void 0||route===void 0)return void 0;const{readDeclared}=await import("./contract.js").then((module)=>({readDeclared:module.readDeclared}));return readDeclared(sources,route)}
function read(unproven){sources=readSources(root);const{project}=sources;const{cors,dev,diagnostics,settings}=project;const hosts=dev?.hosts;const outside=project.files.filter(file=>file.startsWith(`../`)||isInstalled(file));const report=diagnostics.length===0?void 0:toReport(new ProjectError(root,diagnostics),hasColors);const errors=hasErrors(diagnostics)?report:void 0;try{const address=readAddress(root,settings);if(errors)return{kind:`broken`,report:errors,address,cors,hosts,outside};const needed=unproven&&findFirst(sources,unproven);const change=describeChange(sent,project);sent=project;return{kind:`sound`,change,needed,report,address,cors,hosts,outside}}catch(error){return{kind:`broken`,report:errors??toReport(error,hasColors),address:settings,cors,hosts,outside}}}
export{};
