// The files of the page for browsers, read once: they contain no data, so they need no credential.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PAGE_FOLDER, PROGRAM_FOLDER } from '@roost/core/process/program-files';
import { type Reply, textReply } from './reply.ts';

export type PageFile = { readonly path: string; reply(accepted: Accepted): Reply };

/** What a request says about encodings and the copy that the browser has. */
export type Accepted = { encodings: string; etag: string | undefined };

export type Page = { readonly files: readonly PageFile[]; readonly shell: PageFile };

const MEDIA: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml; charset=utf-8',
	'.webmanifest': 'application/manifest+json; charset=utf-8',
	'.png': 'image/png',
};

export function readPage(folder = join(PROGRAM_FOLDER, PAGE_FOLDER)): Page {
	const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
	const files = names.filter((name) => MEDIA[extname(name)] !== undefined).map((name) => readPageFile(folder, name));
	return { files, shell: files.find(({ path }) => path === '/index.html') ?? NOT_BUILT };
}

const NOT_BUILT: PageFile = {
	path: '/',
	reply: () => textReply('The page was not built. Run "./roost" once, then reload.', 'text/plain', 503),
};

function readPageFile(folder: string, name: string): PageFile {
	const path = `/${name.replaceAll('\\', '/')}`;
	const plain = readFileSync(join(folder, name));
	const variants = { br: readVariant(folder, `${name}.br`), gzip: readVariant(folder, `${name}.gz`) };
	const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
	const headers = {
		'content-type': MEDIA[extname(name)] ?? '',
		// The names of assets contain a hash of their content.
		'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
		etag,
		vary: 'accept-encoding',
	};
	return {
		path,
		reply(accepted) {
			if (accepted.etag === etag) return { status: 304, body: '', headers };
			const encoding = (['br', 'gzip'] as const).find((one) => variants[one] && accepted.encodings.includes(one));
			const body = (encoding && variants[encoding]) ?? plain;
			return { status: 200, body, headers: encoding ? { ...headers, 'content-encoding': encoding } : headers };
		},
	};
}

function readVariant(folder: string, name: string): Buffer | undefined {
	return existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;
}
