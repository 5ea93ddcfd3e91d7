// A connection to the runner for one command: to the running one, or to one that is started for it.
import { createApiClient } from '@roost/client/api-client';
import { createStreamClient } from '@roost/client/stream-client';
import { NO_DEBUGGER } from '@roost/core/process/loader-variables';
import { isAgentMark } from '@roost/core/runtime/child-environment';
import { realTimers, steadyNow } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { currentTarget } from '../hub/target.ts';
import { reportOldConfig } from '../output/exit.ts';
import type { Connected } from '../transport/connected.ts';
import { nodeFetch, openNodeSocket, openNodeTerminalSocket } from '../transport/node-transport.ts';

/** `tui`: shows pending requests. `run`: a headless run, which may answer by itself. */
type Face = 'cli' | 'tui' | 'run';

type ConnectOptions = {
	/** Commands that only read do not start a runner. */
	start: boolean;
	face?: Face;
	/** Selects the runner; defaults to the user's own. */
	env?: NodeJS.ProcessEnv;
	/** Whether to report an outdated configuration. */
	reportsOldConfig?: boolean;
	/** For a runner that is started. */
	port?: string | undefined;
};

export async function connect({
	start,
	face = 'cli',
	env = process.env,
	reportsOldConfig = true,
	port,
}: ConnectOptions): Promise<Result<Connected | null>> {
	const target = currentTarget();
	if (target) return await (await import('../hub/connect-hub.ts')).connectThroughHub(target, face, env);
	return await connectHere({ start, face, env, reportsOldConfig, port });
}

/** To the runner of this machine, whatever `--hub` says. */
export async function connectHere({
	start,
	face = 'cli',
	env = process.env,
	reportsOldConfig = true,
	port,
}: ConnectOptions): Promise<Result<Connected | null>> {
	const { reachRunner } = await import('./reach.ts');
	const argv = start ? ([...runnerProgram(), ...(port === undefined ? [] : ['--port', port])] as const) : undefined;
	const reached = await reachRunner({ env, start: argv });
	if (!reached.ok) return reached;
	if (!reached.value) return ok(null);
	const { token, findUrl } = reached.value;
	if (reached.value.hasOldConfig && reportsOldConfig) reportOldConfig();
	const socketUrl = (path: string) => `${findUrl().replace('http', 'ws')}/api/v1/${path}`;
	return ok({
		baseUrl: findUrl,
		api: createApiClient({ baseUrl: findUrl, token, face, fetch: nodeFetch }),
		openStream: () =>
			createStreamClient({
				openSocket: () => openNodeSocket(socketUrl('stream'), { token, face }),
				now: steadyNow,
				random: Math.random,
				newId: () => crypto.randomUUID(),
				backoff: NEARBY,
				timers: realTimers,
			}),
		openTerminalSocket: (id) => openNodeTerminalSocket(socketUrl(`terminals/${id}`), { token, face }),
	});
}

/** The runner is local, so reconnecting is cheap. */
export const NEARBY = { initialDelayMs: 250, maxDelayMs: 2_000, multiplier: 2 } as const;

export async function connectOrStart(): Promise<Result<Connected>> {
	return present(await connect({ start: true }));
}

/** As in the launcher. Maglev, the middle compiler of V8, makes a runner slower and larger. */
const OWN_FLAGS = ['--max-semi-space-size=2', '--no-maglev', NO_DEBUGGER];

/** This program as a runner that ends when it is idle. */
export function runnerProgram(): readonly [string, ...string[]] {
	const flags = process.execArgv.filter((flag) => !OWN_FLAGS.includes(flag));
	return [process.execPath, ...OWN_FLAGS, ...flags, process.argv[1] ?? '', 'up', '--end-when-idle'];
}

/** For commands that decide: an error if an agent runs the command. Null if no runner is up. */
export async function connectToDecide(command: string, options: ConnectOptions): Promise<Result<Connected | null>> {
	const here = await refuseAgents(command, options);
	return here.ok && currentTarget() ? await connect(options) : here;
}

/** An error if an agent runs the command; else the runner of this machine, or null if none is up. */
export async function refuseAgents(command: string, options: ConnectOptions): Promise<Result<Connected | null>> {
	const session = process.env.ROOST_SESSION || undefined;
	const isInside = Object.keys(process.env).some(isAgentMark);
	const isHere = currentTarget() === undefined;
	// This machine's runner knows its agents, also where the command goes to another one.
	const here = await connectHere({ ...options, start: isHere && options.start && !isInside });
	if (!here.ok || !here.value) return isInside ? err(new AppError('unauthorized', NOT_FOR_AGENTS)) : here;
	const judged = await here.value.api.launches.judge({ pid: process.pid, session, command });
	if (isInside || (judged.ok && judged.value.governedBy)) return err(new AppError('unauthorized', NOT_FOR_AGENTS));
	return judged.ok ? here : judged;
}

export async function connectOrStartToDecide(command: string, face: Face = 'cli'): Promise<Result<Connected>> {
	return present(await connectToDecide(command, { start: true, face }));
}

function present(connected: Result<Connected | null>): Result<Connected> {
	if (!connected.ok) return connected;
	return connected.value ? ok(connected.value) : err(new AppError('cannot_start', 'No runner is up: start one with "roost up".'));
}

const NOT_FOR_AGENTS = 'Agents cannot do this: this terminal belongs to an agent that Roost governs. Use another terminal.';
