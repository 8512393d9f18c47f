
import{registerModules}from"./serve.js";
import{join}from"node:path";
import{pathToFileURL}from"node:url";
const TARGET={target:`draft-2020-12`};
process.once(`message`,asked=>void answer(asked));
async function answer({root,shapes}){await registerModules();const answers=[];for(const shape of shapes)answers.push(await answerOne(root,shape));process.send?.(answers,()=>process.exit())}
async function answerOne(root,{file,exported}){try{const schema=askSchema((await import(pathToFileURL(join(root,file)).href))[exported]);if(schema===void 0)return{why:"it has no `~standard.jsonSchema`"};return{schema:JSON.parse(JSON.stringify(schema))}}catch(error){return{why:((error instanceof Error?error.message:String(error)).split(`
`)[0]??``).replace(/\.$/,``)}}}
function askSchema(value){const standard=memberOf(memberOf(value,`~standard`),`jsonSchema`);const ways=[()=>call(standard,`input`,TARGET),()=>call(value,`toJSONSchema`,{...TARGET,io:`input`}),()=>call(value,`toJsonSchema`)];for(const way of ways){const schema=way();if(typeof schema===`object`&&schema!==null)return schema}}
function call(value,name,...values){const found=memberOf(value,name);return typeof found===`function`?found.apply(value,values):void 0}
function memberOf(value,name){return typeof value===`object`&&value!==null||typeof value===`function`?value[name]:void 0}
export{};
