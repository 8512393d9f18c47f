
import{readFileSync,readdirSync,statSync}from"node:fs";
import{basename,join}from"node:path";
import{fileURLToPath}from"node:url";
const FOLDER=new URL(`../`,import.meta.url);
function frameworkUrl(file=``){return new URL(file,FOLDER)}
function frameworkPath(file){return fileURLToPath(frameworkUrl(file))}
function createSha256(){return process.getBuiltinModule(`node:crypto`).createHash(`sha256`)}
const MANIFEST_FILE=`manifest.json`;
function isNoManifest(read){return`why`in read}
function compareVendored(folder){const manifest=readManifest(folder);if(isNoManifest(manifest))return manifest;const states=Object.entries(manifest.files).map(([file,hash])=>({file,state:stateOf(join(folder,file),hash)}));const inState=wanted=>states.flatMap(({file,state})=>state===wanted?[file]:[]).sort();const isExtra=file=>file!==MANIFEST_FILE&&!Object.hasOwn(manifest.files,file);return{manifest,edited:inState(`edited`),missing:inState(`missing`),extra:listFiles(folder).filter(isExtra).sort()}}
const DATABASE=[`database.d.ts`,`database.js`,`database/`];
function isDatabaseFile(file){return DATABASE.some(one=>one.endsWith(`/`)?file.startsWith(one):file===one)}
function hasDatabase(folder){return listFiles(folder).some(isDatabaseFile)}
function withoutDatabase(manifest){const files=Object.entries(manifest.files).filter(([file])=>!isDatabaseFile(file));return{...manifest,files:Object.fromEntries(files)}}
function readManifest(folder){const bytes=readBytes(join(folder,MANIFEST_FILE));if(bytes===void 0)return{why:`it is not there, or can't be read`};try{const value=JSON.parse(bytes.toString(`utf8`));if(!isManifest(value))return{why:`it does not list files with their hashes`};return hasDatabase(folder)?value:withoutDatabase(value)}catch{return{why:`it is not JSON`}}}
function stateOf(path,hash){const bytes=readBytes(path);if(bytes===void 0)return`missing`;return hashOf(bytes)===hash||hashOf(withLineFeeds(bytes))===hash?`untouched`:`edited`}
function withLineFeeds(bytes){return Buffer.from(bytes.toString(`latin1`).replaceAll(`\r
`,`
`),`latin1`)}
function hashOf(bytes){return createSha256().update(bytes).digest(`hex`)}
function readBytes(path){try{return statSync(path).isFile()?readFileSync(path):void 0}catch{return}}
function listFiles(folder,below=``){return listFolder(join(folder,below)).flatMap(entry=>entry.isDirectory()?listFiles(folder,`${below}${entry.name}/`):[below+entry.name])}
function listFolder(path){try{return readdirSync(path,{withFileTypes:true})}catch{return[]}}
function isManifest(value){const{version,files}=Object(value);return typeof version===`string`&&typeof files===`object`&&files!==null&&Object.entries(files).every(([file,hash])=>isInside(file)&&typeof hash===`string`)}
function isInside(file){return file!==``&&!/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(file)}
const framework=frameworkPath();
const ADD_DATABASE=`Add the files of a database: npx framework generate database sqlite, or postgres`;
async function findBrokenFile(error){return findMissing(error)??(error instanceof SyntaxError?findMistake():void 0)}
async function reportBrokenFile(error){const broken=await findBrokenFile(error);if(broken===void 0)throw error;process.stderr.write(`error ${broken.message}\n  hint: ${broken.hint}\n`);process.exitCode=1}
function findMissing(error){if(!(error instanceof Error&&`code`in error&&error.code===`ERR_MODULE_NOT_FOUND`))return void 0;const[,path=``]=/^Cannot find module '(.+?)' imported from /.exec(error.message)??[];if(!path.startsWith(framework))return void 0;const name=path.slice(framework.length).replaceAll(`\\`,`/`);const file=toVendoredPath(name);const isOfDatabase=isDatabaseFile(name);return{message:`A file of the vendored framework is missing: ${file}`,hint:isOfDatabase?ADD_DATABASE:`Restore it: git checkout HEAD -- ${file}`,isOfDatabase}}
async function findMistake(){const compared=compareVendored(framework);if(isNoManifest(compared))return void 0;for(const name of compared.edited.filter(one=>one.endsWith(`.js`))){const mistake=await findSyntaxError(join(framework,name));if(mistake===void 0)continue;const file=toVendoredPath(name);return{message:`A file of the vendored framework has a syntax error: ${mistake.why}\n  ${file}:${mistake.line}`,hint:`Correct it there, or give the edit up: git checkout HEAD -- ${file}`,isOfDatabase:false}}}
async function findSyntaxError(path){const{spawnSync}=await import(`node:child_process`);const{status,stderr}=spawnSync(process.execPath,[`--check`,path],{encoding:`utf8`});if(status===0)return void 0;const[,line=`1`]=/:(\d+)\n/.exec(stderr)??[];const[,before=``]=/^( *)\^/m.exec(stderr)??[];const[,why=`syntax error`]=/^SyntaxError: (.*)$/m.exec(stderr)??[];return{why,line:Number(line),column:before.length+1}}
function toVendoredPath(name){return`vendor/${basename(framework)}/${name}`}
export{ADD_DATABASE,DATABASE,compareVendored,createSha256,findBrokenFile,findSyntaxError,frameworkPath,frameworkUrl,hasDatabase,hashOf,isNoManifest,readBytes,readManifest,reportBrokenFile,withoutDatabase};
