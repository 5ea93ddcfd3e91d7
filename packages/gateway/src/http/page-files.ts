// The files of the page for browsers: they contain no data, so they need no credential.
import { readFileSync } from 'node:fs';
import { programFile } from '@roost/core/process/program-files';
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
	return FILES.map(({ path, file, media }) => ({
		path,
		reply: textReply(readFileSync(`${programFile('page')}/${file}`, 'utf8'), media),
	}));
}
