// Bundles the sources into dist/: the command line with the runner, and each program that agents start as small files of its own.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown';
import roost from '../package.json' with { type: 'json' };
import { PROGRAM_FILES } from '../packages/core/src/process/program-files.ts';
import { withPlainBuiltins } from './plain-builtins.ts';

const ROOT = join(import.meta.dirname, '..');

/** What npm installs beside the bundle, because it brings programs or native code; and what Ink loads only for its own development. */
const EXTERNAL = [...Object.keys(roost.dependencies), 'react-devtools-core'];

const { start, main, page, ...programs } = PROGRAM_FILES;
const made = new Map<string, string | Uint8Array>();
await Promise.all([bundle([start, main]), ...Object.values(programs).map((program) => bundle([program]))]);
for (const name of readdirSync(join(ROOT, page[0]))) made.set(`${page[1]}/${name}`, readFileSync(join(ROOT, page[0], name)));
for (const [path, content] of made) writeIfChanged(join(ROOT, path), content);
removeOld(join(ROOT, 'dist'));

type Entry = readonly [written: string, bundled: string];

/** Entries that share chunks lie in one folder. */
async function bundle(entries: readonly Entry[]): Promise<void> {
	const folder = dirname(entries[0]?.[1] ?? '');
	await using build = await rolldown({
		cwd: ROOT,
		input: Object.fromEntries(entries.map(([written, bundled]) => [basename(bundled, '.js'), written])),
		platform: 'node',
		resolve: { conditionNames: ['source', 'node'] },
		external: EXTERNAL,
		tsconfig: false,
		transform: { target: 'node24', define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
		onwarn: ({ message }) => {
			throw new Error(message);
		},
	});
	const { output } = await build.generate({
		dir: join(ROOT, folder),
		format: 'es',
		entryFileNames: '[name].js',
		chunkFileNames: '[name]-[hash].js',
		sourcemap: true,
	});
	for (const file of output) made.set(`${folder}/${file.fileName}`, contentOf(file));
}

function contentOf(file: OutputChunk | OutputAsset): string | Uint8Array {
	return file.type === 'chunk' ? withPlainBuiltins(file.code) : file.source;
}

/** In one step, so that no other process finds half a file; what stays the same keeps its compiled code. */
function writeIfChanged(path: string, content: string | Uint8Array): void {
	if (isSame(path, content)) return;
	mkdirSync(dirname(path), { recursive: true });
	const part = `${path}.${process.pid}`;
	writeFileSync(part, content);
	renameSync(part, path);
}

function isSame(path: string, content: string | Uint8Array): boolean {
	try {
		return readFileSync(path).equals(Buffer.from(content));
	} catch {
		// Not there yet.
		return false;
	}
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** A runner that is up may still load parts of an older bundle, so they stay for a while. */
function removeOld(folder: string): void {
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isDirectory() || made.has(relative(ROOT, path))) continue;
		if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path);
	}
}
