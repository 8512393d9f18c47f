
import{registerModules}from"./tools/serve.js";
import{consoleLog}from"./runtime/log.js";
import{setLaunch}from"./runtime/app.js";
import{REJECTED,listenOn,useTransport}from"./runtime/node.js";
await registerModules();
process.env.NODE_ENV??=`test`;
setLaunch({strict:true,loadProject:async(_isWhole,stack)=>(await import("./tools/contract.js").then((module)=>({loadHeldProject:module.loadHeldProject}))).loadHeldProject(stack)});
let hasRejected=false;
process.on(`unhandledRejection`,error=>{hasRejected=true;if(process.listenerCount(`unhandledRejection`)===1)consoleLog.error({message:REJECTED,error})});
process.on(`exit`,()=>{if(hasRejected)process.exitCode||=1});
useTransport(async server=>{server.on(`connection`,socket=>socket.unref());const bound=await listenOn(server,{host:`127.0.0.1`,port:0});bound.unref();return bound});
export{};
