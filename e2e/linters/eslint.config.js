/** What the documentation of typescript-eslint has everybody begin with. */

import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import typescript from "typescript-eslint";

export default defineConfig(
  js.configs.recommended,
  typescript.configs.recommendedTypeChecked,
  { ignores: ["vendor/", "node_modules/"] },
  { languageOptions: { parserOptions: { projectService: true } } },
);
