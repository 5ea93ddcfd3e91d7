// Opens the page of a runner in the user's browser, logged in.
import { join } from 'node:path';
import type { Home } from '@roost/home/home';
import { openFile } from '@roost/machine/open-file';
import { replacePrivateFile } from '@roost/machine/private-file';
import { unwrap } from '../output/exit.ts';
import type { Connected } from '../transport/connected.ts';
import { makeLink } from './login-link.ts';

export type OpenedLink = { readonly url: string; readonly expiresAt: number; readonly opened: boolean; readonly words: string };

/** `env`: with the desktop of the user. Without one the words contain the link. */
export async function openInBrowser(
	connected: Pick<Connected, 'api' | 'baseUrl'>,
	{ run }: Pick<Home, 'run'>,
	env: NodeJS.ProcessEnv,
): Promise<OpenedLink> {
	const link = await makeLink(connected);
	// Other users can read the arguments of a program, so the link is in a private file.
	const file = join(run, 'open-browser.html');
	unwrap(replacePrivateFile(file, toRedirect(link.url)));
	const opened = await openFile(file, env);
	const words = opened
		? `Opening ${connected.baseUrl()} in your browser.`
		: `Open this link in a browser within 30 seconds, once:\n  ${link.url}`;
	return { ...link, opened, words };
}

/** The link has no characters that HTML would read. */
function toRedirect(url: string): string {
	return `<!doctype html><meta charset="utf-8"><title>Roost</title><meta http-equiv="refresh" content="0; url=${url}">\n`;
}
