import { createApp } from "framework";

// Serves every handler in apps/ and routes/. `npm run routes` lists them.
export const app = await createApp();

// On http://localhost:8000, unless framework.toml, PORT or --port says otherwise.
await app.listen();
