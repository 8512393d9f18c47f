#!/usr/bin/env node

import{existsSync,realpathSync}from"node:fs";
import{dirname,join}from"node:path";
import{pathToFileURL}from"node:url";
const COMMAND=`vendor/framework/tools/cli.js`;
const own=import.meta.url;
const command=findCommand();
if(command===own)await runOwn();else await import(command);
function findCommand(){if(!/\/(?:vendor|node_modules)\/framework\/tools\/cli\.js$/.test(own))return own;let folder=process.cwd();while(!existsSync(join(folder,`framework.toml`))&&folder!==dirname(folder))folder=dirname(folder);const file=join(folder,COMMAND);return existsSync(file)?pathToFileURL(realpathSync(file)).href:own}
async function runOwn(){try{await(await import("./shared.js").then((module)=>({runCommand:module.runCommand}))).runCommand()}catch(error){await(await import("./vendored.js").then((module)=>({reportBrokenFile:module.reportBrokenFile}))).reportBrokenFile(error)}}
export{};
