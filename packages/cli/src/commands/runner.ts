// roost up and down: the runner as a process.

import { setTimeout as delay } from 'node:timers/promises';
import { plural } from '@roost/core/display/plural';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { askYes } from '../output/ask-yes.ts';
import { createBell } from '../output/bell.ts';
import { fail } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { connect, connectToDecide } from '../runner/connect.ts';
import { loadServe } from '../runner/open-runner.ts';
import { status } from './status.ts';

type UpOptions = { detach?: boolean; endWhenIdle?: boolean; port?: string; json?: boolean; jsonLogs?: boolean };

export async function up(options: UpOptions): Promise<void> {
	if (options.detach) {
		const started = await startDetached(options.port);
		return started.ok ? status({ ...options, link: true }) : fail(started.error, options);
	}
	const { serve } = await loadServe();
	const write = outliveTerminal();
	const bell = createBell([{ isTTY: process.stdout.isTTY, write }], process.env);
	const ended = await serve({
		env: process.env,
		flags: { port: options.port },
		endWhenIdle: options.endWhenIdle === true,
		logTo: { format: options.jsonLogs ? 'json' : 'pretty', write },
		onUp: ({ link }) => {
			if (!options.jsonLogs && !options.endWhenIdle) write(greeting(link));
		},
		onAsk: bell.tell,
	});
	if (!ended.ok) return fail(ended.error, options);
	process.exitCode = ended.value;
}

/** One that is up already stays where it is. */
async function startDetached(port: string | undefined): Promise<Result<void>> {
	const connected = await connect({ start: true, port });
	if (!connected.ok) return connected;
	const { reachRunner } = await import('../runner/reach.ts');
	const reached = await reachRunner({ env: process.env });
	const now = reached.ok ? reached.value?.running.port : undefined;
	if (port === undefined || Number(port) === 0 || now === undefined || now === Number(port)) return ok(undefined);
	return err(
		new AppError('conflict', `The runner is already up on port ${now}. Run "roost down" first to start it on port ${port}.`),
	);
}

/** A link logs in whoever reads it first: it is shown to a person and never written where it would be kept. */
function greeting(link: () => { url: string }): string {
	const how = process.stdout.isTTY
		? `Open it in a browser within 30 seconds, once:\n  ${link().url}\nLater, "${calledAs()} status --link" makes a new link.`
		: `Open it in a browser with the link that "${calledAs()} status --link" makes.`;
	return `${how}\nStop the runner with Ctrl-C or "${calledAs()} down".\n`;
}

/** When its terminal or its reader is gone, the runner goes on without words until it is told to end. */
function outliveTerminal(): (text: string) => void {
	let gone = false;
	process.stdout.removeAllListeners('error');
	process.stdout.on('error', () => {
		gone = true;
	});
	return (text) => {
		if (!gone) process.stdout.write(text);
	};
}

/** A runner that hangs cannot say whose process this is, and must go down all the same. */
const JUDGE_MS = 10_000;

export async function down(options: { json?: boolean; force?: boolean }): Promise<void> {
	// Without a runner an observed agent is on its own, which is for its user to decide.
	const mine = await Promise.race([
		connectToDecide('down', { start: false, tellsOldConfig: false }),
		delay(JUDGE_MS, undefined, { ref: false }),
	]);
	if (mine?.ok === false && mine.error.code === 'unauthorized') return fail(mine.error, options);
	const { reachRunner } = await import('../runner/reach.ts');
	const reached = await reachRunner({ env: process.env });
	if (!reached.ok) return fail(reached.error, options);
	if (!reached.value) {
		process.stdout.write(options.json ? '{"stopped":false}\n' : 'No runner is up.\n');
		return;
	}
	const mayStop = options.force ? ok(true) : await askAboutEnforced(options);
	if (!mayStop.ok) return fail(mayStop.error, options);
	if (!mayStop.value) return void process.stdout.write('The runner is still up.\n');
	const { takeDown } = await import('../runner/stop.ts');
	const stopped = await takeDown(process.env, reached.value.running);
	if (!stopped.ok) return fail(stopped.error, options);
	process.stdout.write(options.json ? '{"stopped":true}\n' : `The runner (process ${reached.value.running.pid}) is down.\n`);
}

/** Without a runner the calls of enforced agents are blocked. One that hangs says nothing of them, and must go down all the same. */
async function askAboutEnforced(options: { json?: boolean }): Promise<Result<boolean>> {
	const connected = await connect({ start: false, tellsOldConfig: false });
	const seen = connected.ok && connected.value ? connected.value.api.server.overview() : undefined;
	const overview = await Promise.race([seen, delay(JUDGE_MS, undefined, { ref: false })]);
	const enforced = overview?.ok ? (overview.value.enforced ?? []) : [];
	if (enforced.length === 0) return ok(true);
	const names = enforced.map(({ session, agent }) => `${session} ${agent}`).join(', ');
	const [verb, its, them] = enforced.length === 1 ? ['is', 'its', 'it'] : ['are', 'their', 'them'];
	const what = `${plural(enforced.length, 'enforced session')} ${verb} running (${names}), and ${its} calls are blocked while no runner is up.`;
	const otherwise = `The runner was not stopped: ${what} End ${them} first, or run "${calledAs()} down --force".`;
	return await askYes(`${what}\nStop the runner?`, { ...options, otherwise });
}
