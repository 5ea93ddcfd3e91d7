// roost demo: scripted agents in the terminal UI or in a browser, or one of them line by line. Its home is removed afterwards.
import { AppError } from '@roost/protocol/app-error';
import { isTerminal } from '../output/ask-yes.ts';
import { EXIT, unwrap } from '../output/exit.ts';
import { isPrinted, styleFor, toFeedText } from '../output/feed-line.ts';
import { calledAs } from '../output/launcher.ts';
import { connect } from '../runner/connect.ts';
import { type StyleOptions, toStyleOptions } from '../tui/screen/styles.ts';

type DemoOptions = { plain: boolean; web?: boolean; speed: string; theme?: string; ascii?: boolean };
type Place = { env: Readonly<Record<string, string>>; folder: string; speed: number };

/** Long enough to look at every page first. */
const WEB_ASK_MS = 600_000;
const GREETING = 'This is a demo: the agents are scripted, and nothing is kept when you leave with q.';

export async function demo(options: DemoOptions): Promise<void> {
	const speed = Number(options.speed);
	if (!Number.isFinite(speed) || speed <= 0) {
		throw new AppError('usage', `--speed takes a number above 0; it was "${options.speed}".`);
	}
	const styles = unwrap(toStyleOptions(options, process.env));
	const { makeDemoHome } = await import('../demo/demo-home.ts');
	using home = unwrap(makeDemoHome(process.env, options.web ? { askMs: WEB_ASK_MS } : {}));
	const place = { env: home.env, folder: home.folder, speed };
	if (options.web) await showWeb(place);
	else await (options.plain || !isTerminal(process) ? print(place) : show(place, styles));
}

async function showWeb(place: Place): Promise<void> {
	await (await import('./demo-web.ts')).showWeb(place);
	process.stdout.write(sayNext());
}

async function show(place: Place, styles: StyleOptions): Promise<void> {
	const { openDemo } = await import('../demo/open-demo.ts');
	await using stage = unwrap(await openDemo(place));
	const connected = unwrap(await connect({ start: false, face: 'tui', env: place.env }));
	if (!connected) throw new AppError('cannot_start', 'The demo cannot find its own runner. Start it again.');
	const { showTui } = await import('./show-tui.ts');
	const { project, first } = stage;
	await showTui({ connected, project, styles, greeting: GREETING, env: place.env, first });
	process.stdout.write(sayNext());
}

async function print(place: Place): Promise<void> {
	const { playDemo } = await import('../demo/open-demo.ts');
	const style = styleFor(process.stdout, process.env);
	const interrupted = new AbortController();
	process.once('SIGINT', () => interrupted.abort());
	const played = await playDemo({
		...place,
		signal: interrupted.signal,
		onEvents: (events) => {
			for (const event of events) if (isPrinted(event)) process.stdout.write(`${toFeedText(event, style)}\n`);
		},
	});
	unwrap(played);
	if (interrupted.signal.aborted) process.exitCode = EXIT.interrupted;
	process.stdout.write(`\n${sayNext()}`);
}

function sayNext(): string {
	const roost = calledAs();
	return `Demo finished. Nothing was saved. With your own agent:\n  ${roost} claude    as always, in this terminal; on record\n  ${roost}           in a second one: see what it does, and decide\n`;
}
