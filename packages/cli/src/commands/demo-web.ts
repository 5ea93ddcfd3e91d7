// roost demo --web: the scripted agents in the user's browser, until the user ends it.
import { resolveHome } from '@roost/home/home';
import { AppError } from '@roost/protocol/app-error';
import { unwrap } from '../output/exit.ts';
import { connect } from '../runner/connect.ts';
import { openInBrowser } from '../runner/open-in-browser.ts';
import { openTerminalKeys } from './run/terminal-keys.ts';

type Place = { env: Readonly<Record<string, string>>; folder: string; speed: number };

const ABOUT = 'The agents are scripted, and nothing is saved.';

/** Resolves when everything is closed. */
export async function showWeb(place: Place): Promise<void> {
	const { openWebDemo } = await import('../demo/open-demo.ts');
	await using _demo = unwrap(await openWebDemo(place));
	const connected = unwrap(await connect({ start: false, env: place.env }));
	if (!connected) throw new AppError('cannot_start', 'The demo cannot find its own runner. Start it again.');
	const home = unwrap(resolveHome(place.env));
	const open = async () => {
		const { words } = await openInBrowser(connected, home, process.env);
		process.stdout.write(`${words}\n`);
	};
	await open();
	await untilEnded(open);
}

/** By q or Ctrl-C; where no keys can be read, by a signal. Enter opens it again. */
async function untilEnded(openAgain: () => Promise<void>): Promise<void> {
	const ended = Promise.withResolvers<void>();
	process.once('SIGINT', ended.resolve);
	using keys = openTerminalKeys(process);
	const hasKeys = keys?.areOurs() ?? false;
	process.stdout.write(
		`${ABOUT} ${hasKeys ? 'Press Enter to open it again, q to end the demo.' : 'Press Ctrl-C to end the demo.'}\n`,
	);
	if (hasKeys) {
		keys?.listen((key) => {
			if (key === 'q') ended.resolve();
			else if (key === '\r') openAgain().catch(ended.reject);
		});
	}
	await ended.promise;
}
