// The page a browser shows, as files: they hold no data, so they need no credential.
import { readFileSync } from 'node:fs';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import { textReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

const FILES = [
	{ path: '/', file: 'index.html', media: 'text/html', summary: 'The page' },
	{ path: '/page.js', file: 'page.js', media: 'text/javascript', summary: 'The script of the page' },
	{ path: '/device.js', file: 'device.js', media: 'text/javascript', summary: 'The login of the page' },
	{ path: '/icon.svg', file: 'icon.svg', media: 'image/svg+xml', summary: 'The icon of the page' },
	{ path: '/page.css', file: 'page.css', media: 'text/css', summary: 'The style of the page' },
] as const;

export function pageRoutes(): Route[] {
	return FILES.map(({ path, file, media, summary }) => {
		const reply = textReply(readPageFile(file), media);
		return defineRoute(
			{
				method: 'GET',
				path,
				access: 'open',
				summary,
				status: 200,
				media,
				params: nothing,
				query: nothing,
				body: noBody,
				reply: z.string(),
			},
			() => ok(reply),
		);
	});
}

/** The same place seen from the sources and from what is built of them. */
function readPageFile(name: string): string {
	return readFileSync(new URL(`../../page/${name}`, import.meta.url), 'utf8');
}
