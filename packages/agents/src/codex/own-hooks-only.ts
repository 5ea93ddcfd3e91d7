// Hooks besides Roost's that could change or allow a call after Roost approved it: Codex names them, and they are switched off for one launch.
import { onlySet } from '@roost/core/runtime/child-environment';
import { startLineProcess } from '@roost/machine/line-process';
import { realTimers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { decidingHooks, hooksListed } from './live/protocol.ts';
import { createRpcPeer } from './live/rpc-peer.ts';

export type OtherHooks = {
	/** Keys of those that can be switched off. */
	keys: readonly string[];
	/** Those of an organisation cannot. */
	fixed: number;
};

const LIMIT_MS = 20_000;

/** Asked of the program itself, with the settings of the launch and before Roost's own hooks are added. */
export async function findOtherHooks(launch: {
	command: readonly [string, ...string[]];
	settings: readonly string[];
	cwd: string;
	env: Readonly<Record<string, string | undefined>>;
}): Promise<Result<OtherHooks>> {
	const [program, ...first] = launch.command;
	const peer = createRpcPeer({
		write: (line) => codex.write(line),
		timers: realTimers,
		onNotice: () => {},
		onRequest: (_id, _method, _params, answer) => answer({ error: { code: -32601, message: 'not supported' } }),
	});
	const codex = startLineProcess({
		argv: [program, ...first, 'app-server', ...launch.settings],
		cwd: launch.cwd,
		env: onlySet(launch.env),
		timers: realTimers,
		onLine: (line) => void peer.take(line),
		onOversize: () => {},
		onEnd: () => peer.close(),
	});
	try {
		const clientInfo = { name: 'roost', title: 'Roost', version: '0' };
		const greeted = await peer.request('initialize', { clientInfo, capabilities: { experimentalApi: true } }, LIMIT_MS);
		if (!greeted.ok) return unknown(greeted.error);
		peer.notify('initialized');
		const listed = await peer.request('hooks/list', { cwds: [launch.cwd] }, LIMIT_MS);
		if (!listed.ok) return unknown(listed.error);
		const parsed = hooksListed.safeParse(listed.value);
		if (!parsed.success) return unknown(parsed.error);
		const others = decidingHooks(parsed.data.data.flatMap(({ hooks }) => hooks));
		const fixed = others.filter(({ isManaged }) => isManaged).length;
		return ok({ keys: others.filter(({ isManaged }) => !isManaged).map(({ key }) => key), fixed });
	} finally {
		codex.end(0);
	}
}

function unknown(cause: unknown): Result<never> {
	const message = 'Codex did not list its hooks, so nothing could be enforced: check that codex starts, or leave out --enforce.';
	return err(new AppError('cannot_start', message, { cause }));
}
