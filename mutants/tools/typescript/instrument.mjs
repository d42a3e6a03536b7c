// Builds every mutant of some TypeScript files into them, each behind a switch, and lists the mutants as JSON.
//
// node instrument.mjs FOLDER FILE...   (files relative to the folder; they are replaced)
//
// The change is made when __STRYKER_ACTIVE_MUTANT__ in the environment is the mutant's id. Not mutated: texts for
// people, which no rule compares.
import { readFile, writeFile } from "node:fs/promises";
import { createInstrumenter } from "@stryker-mutator/instrumenter";
import { commonTokens } from "@stryker-mutator/api/plugin";
import { createInjector } from "typed-inject";

const ERRORS = new Set(["JsonSyntaxError", "TypeError", "RangeError", "Error"]);

const isDetail = (node) => node.type === "ObjectProperty" && node.key.name === "detail";

const textsForPeople = {
  shouldIgnore(path) {
    if (isDetail(path.node) || (path.isObjectExpression() && path.node.properties.length > 0 && path.node.properties.every(isDetail))) {
      return "a detail is for people";
    }
    if (path.isNewExpression() && ERRORS.has(path.node.callee.name)) {
      return "an error's message is for people";
    }
    return undefined;
  },
};

const silent = () => {};
const log = {
  trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent,
  isDebugEnabled: () => false, isTraceEnabled: () => false, isInfoEnabled: () => false,
  isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false,
};

const [folder, ...names] = process.argv.slice(2);
const injector = createInjector()
  .provideValue(commonTokens.logger, log)
  .provideFactory(commonTokens.injector, Object.assign((self) => self, { inject: [commonTokens.injector] }));
const instrumenter = injector.injectFunction(createInstrumenter);
const files = [];
for (const name of names) {
  files.push({ name, mutate: true, content: await readFile(`${folder}/${name}`, "utf8") });
}
const options = { plugins: null, excludedMutations: [], ignorers: [textsForPeople] };
const { files: instrumented, mutants } = await instrumenter.instrument(files, options);
for (const { name, content } of instrumented) {
  await writeFile(`${folder}/${name}`, content);
}
const kept = mutants.filter(({ status }) => status !== "Ignored");
process.stdout.write(
  JSON.stringify(
    kept.map(({ id, fileName, mutatorName, location, replacement }) => ({
      id,
      file: fileName,
      operator: mutatorName,
      start: location.start,
      end: location.end,
      replacement,
    })),
  ),
);
