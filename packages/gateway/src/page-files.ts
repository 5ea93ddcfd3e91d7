// The page that a browser shows, as files: they hold no data, so they need no credential.
import { readFileSync } from 'node:fs';
import { type Reply, textReply } from './reply.ts';

export type PageFile = { readonly path: string; readonly reply: Reply };

const FILES = [
	{ path: '/', file: 'index.html', media: 'text/html' },
	{ path: '/page.js', file: 'page.js', media: 'text/javascript' },
	{ path: '/device.js', file: 'device.js', media: 'text/javascript' },
	{ path: '/icon.svg', file: 'icon.svg', media: 'image/svg+xml' },
	{ path: '/page.css', file: 'page.css', media: 'text/css' },
] as const;

export function readPageFiles(): PageFile[] {
	return FILES.map(({ path, file, media }) => ({ path, reply: textReply(readPageFile(file), media) }));
}

/** The same place seen from the sources and from what is built of them. */
function readPageFile(name: string): string {
	return readFileSync(new URL(`../page/${name}`, import.meta.url), 'utf8');
}
