// roost web: opens Roost in the user's browser, logged in.
import { join } from 'node:path';
import { resolveHome } from '@roost/home/home';
import { openFile } from '@roost/machine/open-file';
import { replacePrivateFile } from '@roost/machine/private-file';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { connectOrStartToDecide } from '../runner/connect.ts';
import { makeLink } from '../runner/login-link.ts';

export async function web(options: { json?: boolean }): Promise<void> {
	const connected = unwrap(await connectOrStartToDecide('web'));
	const link = await makeLink(connected);
	// Other users can read the arguments of a program, so the link is in a private file.
	const file = join(unwrap(resolveHome(process.env)).run, 'open-browser.html');
	unwrap(replacePrivateFile(file, toRedirect(link.url)));
	const isOpened = await openFile(file, process.env);
	await print(options, { ...link, opened: isOpened }, [
		isOpened
			? `Opening ${connected.baseUrl()} in your browser.`
			: `Open this link in a browser within 30 seconds, once:\n  ${link.url}`,
	]);
}

/** The link has no characters that HTML would read. */
function toRedirect(url: string): string {
	return `<!doctype html><meta charset="utf-8"><title>Roost</title><meta http-equiv="refresh" content="0; url=${url}">\n`;
}
