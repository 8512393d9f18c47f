/** What a database changes in the files around the code: images, CI, what git ignores, the project's own pages. Each is edited where it still has the template's lines. */

import { eolOf } from "../source/style.ts";
import { DEFAULT_URLS, type Engine } from "./engine.ts";
import { addToPackageFile, addToTypeCheck, OLDEST_NODE } from "./package-file.ts";

export interface OtherFile {
  readonly file: string;
  /** @returns the same text if nothing is missing; undefined if the place was edited. */
  readonly edit: (text: string, engine: Engine) => string | undefined;
  /** What to do by hand then. */
  readonly byHand: (engine: Engine) => string;
}

/** @param pages the sections that README.md and AGENTS.md get. */
export function otherFiles(pages: Readonly<Record<"readme" | "agents", string>>): readonly OtherFile[] {
  return [
    {
      file: "package.json",
      edit: addToPackageFile,
      byHand: () => "add the packages kysely and pg, and the scripts migrate, migrate:down and seed",
    },
    { file: "tsconfig.json", edit: addToTypeCheck, byHand: () => 'add "database" to `include`' },
    { file: ".gitignore", edit: (text) => withLine(text, "/data/"), byHand: () => "add /data/" },
    { file: ".dockerignore", edit: (text) => withLine(text, "data"), byHand: () => "add data" },
    { file: ".env.example", edit: withUrl, byHand: () => "add DATABASE_URL" },
    {
      file: "Dockerfile",
      edit: editDockerfile,
      byHand: (engine) =>
        engine === "sqlite"
          ? "copy dist/migrate.js, too, and make a data/ that its user may write to"
          : "copy dist/migrate.js, too",
    },
    {
      file: ".github/workflows/ci.yml",
      edit: editWorkflow,
      byHand: (engine) =>
        engine === "sqlite"
          ? `let it begin with Node.js ${OLDEST_NODE}`
          : `let it begin with Node.js ${OLDEST_NODE}, and give it a service for Postgres`,
    },
    {
      file: "README.md",
      edit: (text, engine) =>
        editReadme(text, pages.readme.replace(DEFAULT_URLS.sqlite, DEFAULT_URLS[engine])),
      byHand: () => "say how the database is used",
    },
    {
      file: "AGENTS.md",
      edit: (text) => withSection(text, pages.agents, "## The contract"),
      byHand: () => "say how the database is used",
    },
  ];
}

function withLine(text: string, line: string): string {
  const eol = eolOf(text);
  if (text.split(/\r?\n/).some((one) => one.replace(/^\/|\/$/g, "") === line.replace(/^\/|\/$/g, "")))
    return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}${line}${eol}`;
}

function withUrl(text: string, engine: Engine): string {
  if (/^#?\s*DATABASE_URL=/m.test(text)) return text;
  const eol = eolOf(text);
  const lines = [
    "# Where the database is: a sqlite: or a postgres: URL.",
    `DATABASE_URL=${DEFAULT_URLS[engine]}`,
    "",
  ];
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}${lines.join(eol)}`;
}

function editDockerfile(text: string, engine: Engine): string | undefined {
  if (text.includes("migrate.js") || text.includes("dist/*.js")) return text;
  const data =
    engine === "sqlite"
      ? [
          "# The database. Mount a volume here, or it ends with the container.",
          "RUN mkdir data && chown node:node data",
        ]
      : [];
  return replaceLine(text, /^COPY --from=build \/app\/dist\/server\.js \.\/$/m, [
    "COPY --from=build /app/dist/server.js /app/dist/migrate.js ./",
    ...data,
  ])?.replace(
    "one file, dist/server.js. The image has that file and Node",
    "dist/server.js and dist/migrate.js. The image has these and Node",
  );
}

function editWorkflow(text: string, engine: Engine): string | undefined {
  if (text.includes("postgres")) return text;
  const onNode =
    replaceLine(text, /^( *)node: \["20\.19", "24"\]$/m, [`$1node: ["${OLDEST_NODE}", "24"]`]) ?? text;
  if (engine === "sqlite") return onNode === text && !text.includes(OLDEST_NODE) ? undefined : onNode;
  return replaceLine(onNode, /^ {4}steps:$/m, [
    "    services:",
    "      postgres:",
    "        image: postgres:18-alpine",
    "        env:",
    "          POSTGRES_DB: app",
    "          POSTGRES_PASSWORD: postgres",
    '        ports: ["5432:5432"]',
    "        options: --health-cmd pg_isready --health-interval 2s --health-timeout 3s --health-retries 15",
    "    steps:",
  ]);
}

function editReadme(text: string, section: string): string | undefined {
  const sections = withSection(text, section, "## The rule");
  const [, manager = "npm"] = /^(\w+) install +#/m.exec(text) ?? [];
  return sections
    ?.replace(
      "Those need no packages. The rest does:",
      `Run \`${manager} install\` first: the database needs packages. The rest needs them, too:`,
    )
    .replace(
      /^routes\/ {13}one file for each path\r?\n/m,
      (line) => `${line}database/           the tables, the migrations, and the providers${eolOf(text)}`,
    );
}

/** Adds a section above another one, or at the end. */
function withSection(text: string, section: string, before: string): string | undefined {
  const [heading = ""] = section.split("\n");
  if (text.split(/\r?\n/).includes(heading)) return text;
  const eol = eolOf(text);
  const added = section.replaceAll("\n", eol);
  const lines = text.split(/(?<=\n)/);
  const place = lines.findIndex((line) => line.trimEnd() === before);
  if (place === -1) return `${text.trimEnd()}${eol}${eol}${added}`;
  return [...lines.slice(0, place), added, eol, ...lines.slice(place)].join("");
}

/** @returns undefined where there is no such line. */
function replaceLine(text: string, line: RegExp, lines: readonly string[]): string | undefined {
  return line.test(text) ? text.replace(line, lines.join(eolOf(text))) : undefined;
}
