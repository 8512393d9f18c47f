
import{chooseTests,placeLoadFailure,toPath}from"./tools/serve.js";
import{toReport}from"./tools/dev.js";
import{existsSync}from"node:fs";
import{resolve,sep}from"node:path";
import{Problem}from"./runtime/log.js";
import{parseArgs}from"node:util";
const HELPERS=`(^|[\\\\/])_`;
const progress=globalThis;
try{await runTests()}catch(error){const hasColors=process.stderr.isTTY===true&&process.stderr.hasColors();console.error(toReport(error,hasColors).terminal);process.exit(1)}
async function runTests(){const{values,positionals}=readWords();if(values.color!==void 0)process.env[values.color?`FORCE_COLOR`:`NO_COLOR`]=`1`;const[folder=`.`,...words]=positionals;const{parse,run}=await importRunner();const{suites:all}=existsSync(resolve(values.cwd,folder))?await parse(folder,void 0,{...values,ignore:[HELPERS,...values.ignore]}):{suites:[]};const root=resolve(values.cwd);const chosen=chooseTests(root.split(sep).join(`/`),all.map(({file})=>toPath(root,file)),words);const suites=all.filter(({file})=>chosen.includes(toPath(root,file)));try{await run(suites,{bail:values.bail===true})}catch(error){const file=suites[progress.UVU_INDEX??0]?.file;throw file===void 0?error:await placeLoadFailure(process.cwd(),toPath(process.cwd(),file),error)}}
function readWords(){try{return parseArgs({allowPositionals:true,allowNegative:true,options:{bail:{type:`boolean`,short:`b`},color:{type:`boolean`,short:`c`},cwd:{type:`string`,short:`C`,default:`.`},ignore:{type:`string`,short:`i`,multiple:true,default:[]},require:{type:`string`,short:`r`,multiple:true,default:[]}}})}catch(cause){throw new Problem(cause instanceof Error?cause.message:String(cause),void 0,{cause})}}
async function importRunner(){try{const[{parse},{run}]=await Promise.all([import(`uvu/parse`),import(`uvu/run`)]);return{parse,run}}catch(cause){throw new Problem(`The tests need the project's devDependencies.`,"Run `npm install` first.",{cause})}}
export{};
