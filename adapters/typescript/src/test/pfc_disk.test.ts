import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import test from "node:test";
import {
  encodeMetadata,
  type Field,
  MAX_METADATA_BYTES,
  type NewMetadata,
  openBundle,
  publishBundle,
  writeField,
} from "../pfc/index.js";
import { assertRejects, inTemporaryDirectory, toHex } from "./support.js";

const METADATA: NewMetadata = {
  acceptedTime: 1,
  acceptedIncrement: 2,
  domain: {
    globalDimensions: [2, 1, 1],
    physicalOrigin: [0, 0, 0],
    gridSpacing: [1, 1, 1],
    periodic: [true, true, true],
  },
  methodIdentity: "m",
};
const PSI: Field = { id: "psi", data: new Uint8Array(16).fill(7) };
const CHI: Field = { id: "chi", data: new Uint8Array(16).fill(9) };

function writeBundle(directory: string, metadata: NewMetadata, files: Readonly<Record<string, Uint8Array>> = {}): void {
  mkdirSync(join(directory, "fields"), { recursive: true });
  writeFileSync(join(directory, "metadata.json"), encodeMetadata(metadata));
  for (const [name, data] of Object.entries(files)) {
    writeFileSync(join(directory, "fields", name), data);
  }
}

test(
  "what is published opens",
  inTemporaryDirectory((root) => {
    const final = join(root, "run", "step_2");
    publishBundle(`${final}//`, { ...METADATA, fields: ["replaced"] }, [PSI, CHI]);
    const { metadata, fields } = openBundle(final);
    assert.deepEqual(metadata.fields, ["psi", "chi"]);
    assert.deepEqual(fields, [
      { id: "psi", byteLength: 16n },
      { id: "chi", byteLength: 16n },
    ]);
    assert.equal(toHex(readFileSync(join(final, "fields", "chi.bin"))), "09".repeat(16));
    assert.deepEqual(readdirSync(join(root, "run")), ["step_2"]);
  }),
);

test(
  "without a list the files say which fields there are",
  inTemporaryDirectory((root) => {
    const files = { "b.bin": PSI.data, "b-2.bin": PSI.data, "a.b.bin": PSI.data, ".bin": PSI.data, "c.txt": PSI.data };
    writeBundle(join(root, "b"), METADATA, files);
    // By the bytes of the file names, in which '-' comes before '.'.
    assert.deepEqual(
      openBundle(join(root, "b")).fields.map(({ id }) => id),
      ["a.b", "b-2", "b"],
    );
    writeBundle(join(root, "none"), METADATA);
    rmSync(join(root, "none", "fields"), { recursive: true });
    assert.deepEqual(openBundle(join(root, "none")).fields, []);
  }),
);

test(
  "a directory that is no bundle is refused",
  inTemporaryDirectory((root) => {
    const at = (name: string) => join(root, name);
    writeBundle(at("good"), METADATA);
    writeBundle(at("b.publishing"), METADATA);
    symlinkSync("b.publishing", at("link-to-staging"));
    symlinkSync("good", at("link"));
    symlinkSync("nowhere", at("dangling"));
    symlinkSync("loop", at("loop"));
    writeFileSync(at("file"), "");
    mkdirSync(at("empty"));
    for (const path of ["b.publishing", "b.publishing/./", "link-to-staging", "missing.publishing"]) {
      assertRejects(() => openBundle(`${root}/${path}`), "bundle-is-staging");
    }
    for (const path of ["missing", "dangling", "loop", "file/below", "a\0b", "x".repeat(300)]) {
      assertRejects(() => openBundle(`${root}/${path}`), "bundle-missing");
    }
    assertRejects(() => openBundle(""), "bundle-missing");
    assertRejects(() => openBundle(at("file")), "bundle-not-directory");
    assertRejects(() => openBundle(at("empty")), "metadata-missing");
    for (const path of ["link", "good/", "good/./.", "link/../good"]) {
      assert.equal(openBundle(`${root}/${path}`).metadata.methodIdentity, "m");
    }
    // `..` is asked of the file system: behind the link it is the parent of what the link leads to.
    mkdirSync(join(root, "deep", "er"), { recursive: true });
    symlinkSync("deep/er", at("shortcut"));
    writeBundle(join(root, "deep", "sibling"), METADATA);
    assert.equal(openBundle(`${root}/shortcut/../sibling`).metadata.methodIdentity, "m");
  }),
);

test(
  "metadata.json must be a regular file",
  inTemporaryDirectory((root) => {
    const metadata = join(root, "metadata.json");
    mkdirSync(metadata);
    assertRejects(() => openBundle(root), "metadata-unreadable");
    rmSync(metadata, { recursive: true });
    writeFileSync(join(root, "elsewhere"), encodeMetadata(METADATA));
    symlinkSync("elsewhere", metadata);
    assertRejects(() => openBundle(root), "metadata-unreadable");
    rmSync(metadata);
    writeFileSync(metadata, "");
    truncateSync(metadata, 3 * 1024 * 1024);
    assertRejects(() => openBundle(root), "metadata-not-json");
  }),
);

test(
  "a metadata.json that is too large is not read",
  inTemporaryDirectory((root) => {
    const metadata = join(root, "metadata.json");
    writeFileSync(metadata, encodeMetadata(METADATA));
    assert.equal(MAX_METADATA_BYTES, 2 ** 30);
    // A tebibyte could not be read, so the answer shows that it was not.
    for (const size of [MAX_METADATA_BYTES + 1, 2 ** 40]) {
      truncateSync(metadata, size);
      assertRejects(() => openBundle(root), "metadata-unreadable");
    }
  }),
);

test(
  "fields must be regular files of the domain's size",
  inTemporaryDirectory((root) => {
    const bundle = join(root, "b");
    const field = (name: string) => join(bundle, "fields", name);
    writeBundle(bundle, { ...METADATA, fields: ["psi", "chi"] }, { "psi.bin": PSI.data });
    assertRejects(() => openBundle(bundle), "field-missing", "fields/chi");
    symlinkSync("psi.bin", field("chi.bin"));
    assertRejects(() => openBundle(bundle), "field-not-regular", "fields/chi");
    rmSync(field("chi.bin"));
    mkdirSync(field("chi.bin"));
    assertRejects(() => openBundle(bundle), "field-not-regular", "fields/chi");
    rmSync(field("chi.bin"), { recursive: true });
    writeFileSync(field("chi.bin"), new Uint8Array(15));
    assertRejects(() => openBundle(bundle), "field-size", "fields/chi");
    truncateSync(field("chi.bin"), 2 ** 33);
    assertRejects(() => openBundle(bundle), "field-size", "fields/chi");
    // The directory itself is not followed either.
    symlinkSync("b/fields", join(root, "fields"));
    writeFileSync(join(root, "metadata.json"), encodeMetadata({ ...METADATA, fields: ["psi"] }));
    assertRejects(() => openBundle(root), "field-missing", "fields/psi");
  }),
);

test(
  "a publish is refused before anything is touched",
  inTemporaryDirectory((root) => {
    for (const name of [".", "..", "b.publishing", ".publishing"]) {
      assertRejects(() => publishBundle(`${root}/${name}/`, METADATA, []), "publish-name");
    }
    assertRejects(() => publishBundle("", METADATA, []), "publish-name");
    assertRejects(() => publishBundle("//", METADATA, []), "publish-name");
    const final = join(root, "b");
    const publishes = (fields: readonly Field[], metadata = METADATA) => {
      return () => publishBundle(final, metadata, fields);
    };
    assertRejects(
      publishes([{ ...PSI, id: "-" }], { ...METADATA, acceptedIncrement: -1 }),
      "member-range",
      "/accepted_increment",
    );
    assertRejects(publishes([PSI, { ...PSI, id: "../psi" }]), "publish-field", "fields/../psi");
    assertRejects(publishes([PSI, CHI, PSI]), "publish-field", "fields/psi");
    assertRejects(publishes([{ ...PSI, data: new Uint8Array(15) }]), "publish-field", "fields/psi");
    symlinkSync("nowhere", final);
    assertRejects(publishes([]), "publish-exists");
    assert.deepEqual(readdirSync(root), ["b"]);
  }),
);

test(
  "a failing writer leaves nothing behind",
  inTemporaryDirectory((root) => {
    const final = join(root, "b");
    const failing = (path: string, field: Field) => {
      writeField(path, field);
      if (field.id === "chi") {
        throw new Error("disk full");
      }
    };
    assertRejects(() => publishBundle(final, METADATA, [PSI, CHI], failing), "publish-failed", "fields/chi");
    assert.deepEqual(readdirSync(root), []);
    writeFileSync(join(root, "file"), "");
    assertRejects(() => publishBundle(join(root, "file", "b"), METADATA, [PSI]), "publish-failed");
    assert.deepEqual(readdirSync(root), ["file"]);
  }),
);

test(
  "a bundle that appears while another is written is left as it is",
  inTemporaryDirectory((root) => {
    const final = join(root, "b");
    const appearances: ReadonlyArray<() => void> = [
      () => mkdirSync(final),
      () => writeFileSync(final, "mine"),
      () => symlinkSync("nowhere", final),
      () => writeBundle(final, METADATA),
    ];
    for (const appear of appearances) {
      const racing = (path: string, field: Field) => {
        writeField(path, field);
        appear();
      };
      assertRejects(() => publishBundle(final, METADATA, [PSI], racing), "publish-exists");
      assert.deepEqual(readdirSync(root), ["b"]);
      assert.ok(!existsSync(join(final, "fields", "psi.bin")));
      rmSync(final, { recursive: true, force: true });
    }
  }),
);

test(
  "a leftover staging directory is cleared and never followed",
  inTemporaryDirectory((root) => {
    const final = join(root, "b");
    const staging = `${final}.publishing`;
    const kept = join(root, "kept");
    mkdirSync(kept);
    writeFileSync(join(kept, "file"), "");
    const leftovers: ReadonlyArray<() => void> = [
      () => symlinkSync("kept", staging),
      () => symlinkSync("nowhere", staging),
      () => symlinkSync("b.publishing", staging),
      () => writeFileSync(staging, "old"),
      () => {
        mkdirSync(join(staging, "fields"), { recursive: true });
        writeFileSync(join(staging, "fields", "old.bin"), "");
        symlinkSync("../../kept", join(staging, "fields", "link"));
      },
    ];
    for (const leave of leftovers) {
      leave();
      publishBundle(final, METADATA, [PSI]);
      assert.deepEqual(readdirSync(join(final, "fields")), ["psi.bin"]);
      assert.ok(lstatSync(final).isDirectory());
      assert.deepEqual(readdirSync(root), ["b", "kept"]);
      assert.deepEqual(readdirSync(kept), ["file"]);
      rmSync(final, { recursive: true });
    }
  }),
);
