/**
 * The files that users deploy with: the manifests of docs/kubernetes/, by Kubernetes' own types and by what they say of one
 * another, and the workflow of a created project, by actionlint.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import {
  checkCompose,
  checkManifests,
  checkWorkflow,
  readManifests,
  whyNoManifestTools,
} from "./harness/manifests.ts";
import { once } from "./harness/once.ts";
import { unpackOnce } from "./harness/package.ts";
import { copyProject, openProject, type Project } from "./harness/project.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const FOLDER = join(REPOSITORY, "docs/kubernetes");
const FILES = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".yaml"),
);

const why = await whyNoManifestTools();
if (why !== undefined) console.log(`Skipped, what others say of the manifests: ${why}.`);
const testWithTools = why === undefined ? test : test.skip;

const manifests = FILES.flatMap((file) =>
  readManifests(join(FOLDER, file)).map((value) => ({ file, value })),
);

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Container {
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly Variable[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: Readonly<Record<string, unknown>>;
}

interface Pod {
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly containers: readonly [Container];
  };
}

/** What each kind of ours has below `spec`; the types of Kubernetes have been asked before. */
interface Spec {
  readonly template: Pod;
  readonly ports: readonly { readonly targetPort: string }[];
}

function specOf(file: string, kind: string): Spec {
  const found = manifests.find(({ file: name, value }) => name === file && value.kind === kind);
  if (found === undefined) throw new Error(`${file} has no ${kind}.`);
  return found.value.spec as Spec;
}

const DEPLOYMENTS = ["app.yaml", "database/app.yaml"];
const PODS: readonly (readonly [file: string, kind: string])[] = [
  ...DEPLOYMENTS.map((file) => [file, "Deployment"] as const),
  ["database/migrate.yaml", "Job"],
];

testWithTools("each manifest is what the API of Kubernetes takes", async () => {
  assert.is(await checkManifests(manifests.map(({ value }) => value)), "");
});

test("a pod has the time to stop: preStop and [server] shutdown_timeout end before the grace period does", () => {
  const configuration = readFileSync(join(REPOSITORY, "docs/configuration.md"), "utf8");
  const [, seconds] = /^\| `shutdown_timeout` \|.*?\| `(\d+)` \|/m.exec(configuration) ?? [];
  for (const file of DEPLOYMENTS) {
    const { spec } = specOf(file, "Deployment").template;
    const needed = spec.containers[0].lifecycle.preStop.sleep.seconds + Number(seconds);
    assert.ok(spec.terminationGracePeriodSeconds > needed, `${file}: more than ${needed}`);
  }
});

test("the Service and the probes name the port that the container listens on", () => {
  for (const file of DEPLOYMENTS) {
    const [container] = specOf(file, "Deployment").template.spec.containers;
    const [port] = container.ports ?? [];
    assert.is(container.env.find(({ name }) => name === "PORT")?.value, String(port?.containerPort));
    assert.is(container.env.find(({ name }) => name === "HOST")?.value, "0.0.0.0");
    assert.is(specOf(file, "Service").ports[0]?.targetPort, port?.name);
    const { startupProbe, readinessProbe, livenessProbe } = container;
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe])
      assert.is(httpGet.port, port?.name);
  }
});

test("only the readiness of an app with a database asks the database", async () => {
  const [, health] = /^health = "(.+)"$/m.exec((await copyProject()).read("framework.toml")) ?? [];
  const paths = DEPLOYMENTS.map((file) => {
    const [container] = specOf(file, "Deployment").template.spec.containers;
    const { startupProbe, readinessProbe, livenessProbe } = container;
    return [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path);
  });
  assert.equal(paths, [
    [health, health, health],
    [health, "/readyz", health],
  ]);
});

test("each pod meets the standard `restricted`, and writes to no disk", () => {
  for (const [file, kind] of PODS) {
    const { securityContext, containers } = specOf(file, kind).template.spec;
    assert.equal(securityContext, {
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.equal(containers[0].securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  }
});

const ENGINES = ["sqlite", "postgres"];

/** A created project, and one with each database. */
const projectsOnce = once("projects", async (): Promise<readonly Project[]> => {
  const create = [process.execPath, join(await unpackOnce(), "dist/create.cjs"), "my-app", "--no-git"];
  const withDatabase = ENGINES.map(async (engine) => {
    const cwd = createFolder("created");
    await runWell([...create, "--database", engine], { cwd, env: isolatedEnvironment() });
    return openProject(join(cwd, "my-app"));
  });
  return [await copyProject(), ...(await Promise.all(withDatabase))];
});

async function readWithEngines(file: string): Promise<readonly string[]> {
  const projects = await projectsOnce();
  return projects.filter((project) => project.has(file)).map((project) => project.read(file));
}

testWithTools(
  "the workflow of a created project is what GitHub takes, with and without a database",
  async () => {
    const workflows = await readWithEngines(".github/workflows/ci.yml");
    assert.is(new Set(workflows).size, 3);
    for (const workflow of workflows) assert.is(await checkWorkflow(workflow), "", workflow);
  },
);

testWithTools("the Compose file of a project with a database is what its specification says", async () => {
  const files = await readWithEngines("compose.yaml");
  assert.is(new Set(files).size, 2);
  const right = 'services:\n  app:\n    image: my-app\n    ports: ["8000:8000"]\n';
  const [wrong, ...others] = await checkCompose([right.replace("ports", "portz"), right, ...files]);
  assert.match(wrong ?? "", /additional properties/);
  assert.equal(others, ["", "", ""]);
});

testWithTools(
  "the image of a project with a database has what the manifests and the Compose files run",
  async () => {
    for (const dockerfile of (await readWithEngines("Dockerfile")).slice(1)) {
      assert.match(dockerfile, /^COPY --from=build \/app\/dist \.\/$/m);
      assert.match(dockerfile, /^CMD \["node", "--enable-source-maps", "server\.js"\]$/m);
      assert.match(dockerfile, /^USER node$/m);
    }
  },
);

test.run();
