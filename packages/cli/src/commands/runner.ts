// roost up and down: starts and stops the runner.

import { setTimeout as delay } from 'node:timers/promises';
import { plural } from '@roost/core/display/plural';
import { resolveHome } from '@roost/home/home';
import { removeRunnerFile } from '@roost/home/runner-file';
import { type EndOutcome, endProcess } from '@roost/machine/end-process';
import type { Identity } from '@roost/machine/process-identity';
import { AppError } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';
import { askYes } from '../output/ask-yes.ts';
import { createBell } from '../output/bell.ts';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { print } from '../output/print.ts';
import { connect, connectToDecide } from '../runner/connect.ts';
import { loadServe } from '../runner/open-runner.ts';
import { reachRunner } from '../runner/reach.ts';
import { status } from './status.ts';

type UpOptions = { detach?: boolean; endWhenIdle?: boolean; port?: string; json?: boolean; jsonLogs?: boolean };

export async function up(options: UpOptions): Promise<void> {
	if (options.detach) {
		await startDetached(options.port);
		return await status({ ...options, link: true });
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
		onAsk: bell.report,
	});
	process.exitCode = unwrap(ended);
}

/** A runner that is already up keeps its port. */
async function startDetached(port: string | undefined): Promise<void> {
	unwrap(await connect({ start: true, port }));
	const reached = await reachRunner({ env: process.env });
	const now = reached.ok ? reached.value?.running.port : undefined;
	if (port === undefined || Number(port) === 0 || now === undefined || now === Number(port)) return;
	throw new AppError('conflict', `The runner is already up on port ${now}. Run "roost down" first to start it on port ${port}.`);
}

/** The first reader of a login link is logged in, so it is shown only on a terminal, never written to a file. */
function greeting(link: () => { url: string }): string {
	const how = process.stdout.isTTY
		? `Open it in a browser within 30 seconds, once:\n  ${link().url}\nLater, "${calledAs()} status --link" makes a new link.`
		: `Open it in a browser with the link that "${calledAs()} status --link" makes.`;
	return `${how}\nStop the runner with Ctrl-C or "${calledAs()} down".\n`;
}

/** Without its terminal or the reader of its output, the runner keeps running and prints nothing. */
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

/** A runner that hangs does not answer, and must be stopped all the same. */
const JUDGE_MS = 10_000;

export async function down(options: { json?: boolean; force?: boolean }): Promise<void> {
	// Without a runner an observed agent is not recorded, so an agent may not stop it.
	const mine = await Promise.race([
		connectToDecide('down', { start: false, reportsOldConfig: false }),
		delay(JUDGE_MS, undefined, { ref: false }),
	]);
	if (mine?.ok === false && mine.error.code === 'unauthorized') throw mine.error;
	const reached = unwrap(await reachRunner({ env: process.env }));
	if (!reached) return await print(options, { stopped: false }, ['No runner is up.']);
	if (!options.force && !(await mayStop(options))) return void process.stdout.write('The runner is still up.\n');
	unwrap(await takeDown(process.env, reached.running));
	await print(options, { stopped: true }, [`The runner (process ${reached.running.pid}) is down.`]);
}

/** Without a runner the calls of enforced agents are blocked, so the user confirms. A runner that hangs is stopped without. */
async function mayStop(options: { json?: boolean }): Promise<boolean> {
	const connected = await connect({ start: false, reportsOldConfig: false });
	const seen = connected.ok && connected.value ? connected.value.api.server.overview() : undefined;
	const overview = await Promise.race([seen, delay(JUDGE_MS, undefined, { ref: false })]);
	const enforced = overview?.ok ? (overview.value.enforced ?? []) : [];
	if (enforced.length === 0) return true;
	const names = enforced.map(({ session, agent }) => `${session} ${agent}`).join(', ');
	const [verb, its, them] = enforced.length === 1 ? ['is', 'its', 'it'] : ['are', 'their', 'them'];
	const what = `${plural(enforced.length, 'enforced session')} ${verb} running (${names}), and ${its} calls are blocked while no runner is up.`;
	const otherwise = `The runner was not stopped: ${what} End ${them} first, or run "${calledAs()} down --force".`;
	return await askYes(`${what}\nStop the runner?`, { ...options, otherwise });
}

/** It is not restarted, unlike a runner that was killed. */
export async function takeDown(
	env: NodeJS.ProcessEnv,
	running: Identity,
	options: { graceMs?: number } = {},
): Promise<Result<EndOutcome>> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const stopped = await endProcess(running, options);
	if (!stopped.ok || stopped.value !== 'killed') return stopped;
	const removed = removeRunnerFile(home.value);
	return removed.ok ? stopped : removed;
}
