
import{frameworkUrl}from"./vendored.js";
import{createHooks,eraseTypes,loadEraser}from"./serve.js";
const FRAMEWORK=frameworkUrl().href;
const TYPESCRIPT_FILE=/^file:[^?#]*\.([cm]?)ts(?:[?#].*)?$/;
let hooks;
let mapsColumns=false;
function initialize({publicModules,mapColumns,imports}){const onImport=url=>imports?.port.postMessage(url);hooks=createHooks(publicModules,imports&&{root:imports.root,onImport});mapsColumns=mapColumns;loadEraser()}
const resolve=(specifier,context,next)=>{if(context.parentURL?.startsWith(FRAMEWORK))return next(specifier,context);return hooks.resolve(specifier,context,next)};
async function load(url,context,next){const[,kind]=url.startsWith(FRAMEWORK)?[]:TYPESCRIPT_FILE.exec(url)??[];if(kind===void 0)return next(url,context);const source=await eraseTypes(url,mapsColumns);return{format:kind===`c`?`commonjs`:`module`,source,shortCircuit:true}}
export{initialize,load,resolve};
