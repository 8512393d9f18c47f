import { createApp } from "framework";

// Every handler in apps/ and routes/ is a route: `npm run routes` lists them.
export const app = await createApp();

// http://localhost:8000, unless framework.toml, PORT or --port says otherwise.
await app.listen();
