// Bundles the sources into dist/: the command line with the runner, and each program that agents start as separate small files.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import roost from '../package.json' with { type: 'json' };
import { PAGE_FOLDER, PROGRAM_FILES } from '../packages/core/src/process/program-files.ts';
import { readLicenses } from './licenses.ts';
import { buildPage, compress } from './page.ts';
import { withPlainBuiltins } from './plain-builtins.ts';

const ROOT = join(import.meta.dirname, '..');

/** Packages that contain programs or native code, which npm installs beside the bundle; and a package that Ink loads only for its own development. */
const EXTERNAL = [...Object.keys(roost.dependencies), 'react-devtools-core'];

/** Characters that an escape in their place would change. */
const NOT_ESCAPABLE = /(?<!\\)(?:\\\\)*\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/;

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Commands of Roost are not separate programs, so commander need not load `child_process` at every start. */
const withoutSubprograms: Plugin = {
	name: 'without-subprograms',
	transform: {
		filter: { id: /[\\/]commander[\\/]lib[\\/]command\.js$/ },
		handler: (code) => ({
			code: code.replace("import childProcess from 'node:child_process';", 'const childProcess = {};'),
			map: null,
		}),
	},
};

/** One chunk with everything that `main` imports statically; the rest is in the chunks that rolldown finds. */
const ONE_BASE = {
	groups: [{ name: 'base', tags: ['$initial' as const], test: (id: string) => !id.endsWith('/cli/src/main.ts') }],
};

const made = new Map<string, string | Uint8Array>();
const modules = new Set<string>();
await Promise.all([...Object.values(PROGRAM_FILES).map(bundle), bundlePage()]);
made.set('dist/third-party-licenses.txt', readLicenses(modules));
for (const [path, content] of made) writeIfChanged(join(ROOT, path), content);
removeOld(join(ROOT, 'dist'));

/** Each file also compressed, so that the server only chooses. */
async function bundlePage(): Promise<void> {
	const { files, moduleIds } = await buildPage(join(ROOT, 'packages/web/page'));
	for (const [name, content] of files) {
		made.set(`${PAGE_FOLDER}/${name}`, content);
		for (const [ending, compressed] of compress(name, content)) made.set(`${PAGE_FOLDER}/${name}.${ending}`, compressed);
	}
	for (const id of moduleIds) modules.add(id);
}

type Entry = readonly [written: string, bundled: string];

async function bundle([written, bundled]: Entry): Promise<void> {
	const folder = dirname(bundled);
	await using build = await rolldown({
		cwd: ROOT,
		input: { [basename(bundled, '.js')]: written },
		platform: 'node',
		resolve: { conditionNames: ['source', 'node'] },
		external: EXTERNAL,
		plugins: [withoutSubprograms],
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
		codeSplitting: written === PROGRAM_FILES.main[0] ? ONE_BASE : true,
	});
	for (const file of output) {
		made.set(`${folder}/${file.fileName}`, contentOf(file));
		if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id);
	}
}

function contentOf(file: OutputChunk | OutputAsset): string | Uint8Array {
	return file.type === 'chunk' ? toAscii(withPlainBuiltins(file.code)) : file.source;
}

/** Node stores a source with two bytes a character if any of them is outside Latin-1. */
function toAscii(code: string): string {
	if (NOT_ESCAPABLE.test(code)) throw new Error('A non-ASCII character follows a backslash or is in a raw template.');
	return code.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Atomic, so that no other process reads half a file. Unchanged files keep their compile cache. */
function writeIfChanged(path: string, content: string | Uint8Array): void {
	if (isSame(path, content)) return;
	mkdirSync(dirname(path), { recursive: true });
	const draft = `${path}.${process.pid}`;
	writeFileSync(draft, content);
	renameSync(draft, path);
}

function isSame(path: string, content: string | Uint8Array): boolean {
	try {
		return readFileSync(path).equals(Buffer.from(content));
	} catch {
		// The file does not exist yet.
		return false;
	}
}

/** A running runner may still load chunks of an older bundle, so they are kept for a while. */
function removeOld(folder: string): void {
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		const name = relative(ROOT, path);
		if (entry.isDirectory() || made.has(name)) continue;
		// The server would send it instead of the new file.
		const isOutdated = made.has(name.replace(/\.(?:br|gz)$/, ''));
		if (isOutdated || Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path);
	}
}
