// roost web: opens Roost in the user's browser, logged in.
import { resolveHome } from '@roost/home/home';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { connectOrStartToDecide } from '../runner/connect.ts';
import { openInBrowser } from '../runner/open-in-browser.ts';

export async function web(options: { json?: boolean }): Promise<void> {
	const connected = unwrap(await connectOrStartToDecide('web'));
	const { words, ...link } = await openInBrowser(connected, unwrap(resolveHome(process.env)), process.env);
	await print(options, link, [words]);
}
