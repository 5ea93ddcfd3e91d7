// Builds the page for browsers with its own configuration, in memory; then its service worker, which names the files of that build.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type InlineConfig } from 'vite';

export type BuiltPage = { files: Map<string, string | Uint8Array>; moduleIds: string[] };

export async function buildPage(folder: string): Promise<BuiltPage> {
	const configFile = join(folder, 'vite.config.ts');
	const page = await buildFiles({ configFile, build: { write: false } });
	for (const name of readdirSync(join(folder, 'public'))) page.files.set(name, readFileSync(join(folder, 'public', name)));
	const worker = await buildFiles({
		configFile,
		publicDir: false,
		define: { ROOST_SHELL: JSON.stringify(toShell(page.files)) },
		build: {
			write: false,
			rolldownOptions: {
				input: join(folder, '../src/service-worker/service-worker.ts'),
				// At the root, because a worker may only control what is below it.
				output: { entryFileNames: 'sw.js', codeSplitting: false },
			},
		},
	});
	return {
		files: new Map([...page.files, ...worker.files]),
		moduleIds: [...page.moduleIds, ...worker.moduleIds],
	};
}

/** Larger files than this are kept when they are first used, except those that every page needs. */
const LARGEST_KEPT = 64 * 1_024;

/** The files that a worker keeps when it is installed, and a name for their build. */
function toShell(files: BuiltPage['files']): { build: string; files: string[] } {
	const index = String(files.get('index.html'));
	const kept = [...files].filter(
		([name, { length }]) => name !== 'index.html' && (length <= LARGEST_KEPT || index.includes(name)),
	);
	const hash = createHash('sha256');
	for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${name}\n`).update(content);
	return { build: hash.digest('base64url').slice(0, 16), files: ['/', ...kept.map(([name]) => `/${name}`)] };
}

async function buildFiles(config: InlineConfig): Promise<BuiltPage> {
	const built = await build(config);
	const files = new Map<string, string | Uint8Array>();
	const moduleIds: string[] = [];
	for (const result of [built].flat()) {
		if (!('output' in result)) throw new Error('The page was not built.');
		for (const file of result.output) {
			files.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
			if (file.type === 'chunk') moduleIds.push(...file.moduleIds);
		}
	}
	return { files, moduleIds };
}

/** Nearly as small as the best one, in a tenth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Also small files: a copy that is no longer made would stay, and be served instead of the file. */
export function compress(name: string, content: string | Uint8Array): [ending: string, content: Uint8Array][] {
	const bytes = Buffer.from(content);
	if (!/\.(?:js|css|html|svg|webmanifest)$/.test(name)) return [];
	return [
		['br', brotliCompressSync(bytes, BROTLI)],
		['gz', gzipSync(bytes, { level: 9 })],
	];
}
