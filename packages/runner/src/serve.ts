// The runner as a process: one per home. Opens everything in order, and closes it in reverse order.
import { setFlagsFromString } from 'node:v8';
import type { Gateway } from '@roost/gateway/gateway';
import { hashConfig } from '@roost/home/config/config-file';
import type { ConfigFlags } from '@roost/home/config/load-config';
import { logPath, resolveHome } from '@roost/home/home';
import { createLogWriter, isLogAt } from '@roost/home/rotate-log';
import { type RunningRunner, removeRunnerFile, writeRunnerFile } from '@roost/home/runner-file';
import { VERSION } from '@roost/home/version';
import { createLog, type LogTarget } from '@roost/machine/create-log';
import { createDrain } from '@roost/machine/drain';
import { realTimers } from '@roost/machine/timers';
import type { AskRow } from '@roost/protocol/ask';
import { ok, type Result } from '@roost/protocol/result';
import type { DrivableAgents } from './driven/may-drive.ts';
import { openRunner } from './open-runner.ts';
import { createIdleEnd, IDLE_MS } from './process/idle-end.ts';

type ServeOptions = {
	env: NodeJS.ProcessEnv;
	flags: ConfigFlags;
	/** For runners that a command started. */
	endWhenIdle: boolean;
	logTo: LogTarget;
	/** Called once it is reachable. `link` creates a one-time login link for a browser. */
	onUp: (up: { url: string; running: RunningRunner; link: Gateway['link'] }) => void;
	/** Called for each ask that opens or closes, with the number of people watching. */
	onAsk: (ask: AskRow, watching: number) => void;
	drivable?: DrivableAgents | undefined;
};

/** Resolves with the exit code when the runner has ended. */
export async function serve(options: ServeOptions): Promise<Result<number>> {
	// A runner lives for days: collect garbage early instead of letting the heap grow.
	setFlagsFromString('--optimize-for-size');
	const journal = createLog(boundLog(options), Date.now);
	const warn = (msg: string) => journal.log({ level: 'warn', msg });
	// Copied: an agent's SDK adds variables to the environment of this process.
	const env = { ...options.env };
	// Before it is loaded, so that a change in between is noticed.
	const configHash = hashConfig(env);
	const opened = await openRunner({ env, flags: options.flags, drivable: options.drivable, journal, warn });
	if (!opened.ok) return opened;
	const runner = opened.value;
	const { home, gateway, launches, driving, terminals, agentCli, backend } = runner;
	const running = writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now(), configHash });
	if (!running.ok) {
		await runner[Symbol.asyncDispose]();
		return running;
	}
	const steps = [
		// First, so that no command tries to reach a runner that is shutting down.
		{ name: 'removing runner.json', run: () => void removeRunnerFile(home) },
		{ name: 'closing connections and files', run: () => runner[Symbol.asyncDispose]() },
	];
	const isAtWork = () => launches.count() + driving.working() + terminals.running() + agentCli.working() > 0;
	using drain = createDrain(steps, { timers: realTimers, onProblem: warn, exit: process.exit });
	using idle = createIdleEnd({
		isIdle: () => options.endWhenIdle && gateway.clients() === 0 && !isAtWork(),
		idleMs: IDLE_MS,
		timers: realTimers,
		onIdle: drain.start,
	});
	using _updates = {
		[Symbol.dispose]: backend.onUpdate(({ asks }) => {
			idle.touch();
			for (const ask of asks) options.onAsk(ask, gateway.watching());
		}),
	};
	terminals.onEnd(idle.touch);
	journal.log({ level: 'info', msg: `the runner is up at ${gateway.url}`, pid: running.value.pid, version: VERSION });
	options.onUp({ url: gateway.url, running: running.value, link: gateway.link });
	const code = await drain.ended;
	journal.log({ level: 'info', msg: 'the runner has ended', code });
	return ok(code);
}

const STDOUT = 1;

/** A runner in the background rotates its own log. */
function boundLog({ env, logTo }: Pick<ServeOptions, 'env' | 'logTo'>): LogTarget {
	const home = resolveHome(env);
	const log = home.ok ? { file: STDOUT, path: logPath(home.value) } : null;
	return log && isLogAt(log) ? { ...logTo, write: createLogWriter(log) } : logTo;
}

/** Where memory is plentiful V8 lets a heap grow to several times of what is in use; this keeps it near that. */
export function keepHeapSmall(): void {
	setFlagsFromString('--optimize-for-size');
}
