// The launch of an observed agent without a runner: a test plays the gate.
import { DEFAULT_ASK_MS } from '@roost/agents/base/ask-timeouts';
import { hookEnvironment } from '@roost/agents/hooks/hook-environment';
import type { HookProtocol } from '@roost/agents/hooks/launch-runtime';
import { startHookServer } from '@roost/agents/hooks/server';
import type { Forwarder } from '@roost/agents/kind/observed-kind';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { testedFile } from '../runner/roost-cli.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import type { TestGate } from './driven-story.ts';

export type ObservedLaunch = AsyncDisposable & {
	readonly events: readonly RuntimeEvent[];
	/** The payloads reported under this name. */
	reported(hookName: string): unknown[];
	/** The variables that the agent needs. */
	readonly env: Readonly<Record<string, string>>;
	/** A temporary folder. */
	readonly dir: string;
	/** The address of its hook server, and the program that its hooks run. */
	readonly hooks: { readonly httpUrl: string; readonly socketPath: string };
	readonly forwarder: Forwarder;
	/** Closes the hook server. */
	stop(): Promise<void>;
};

export const FORWARDER: Forwarder = {
	node: process.execPath,
	script: testedFile('forwarder'),
	askMs: DEFAULT_ASK_MS,
};

export async function openObservedLaunch(protocol: HookProtocol, gate: GateMode, decide: TestGate): Promise<ObservedLaunch> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const newId = () => crypto.randomUUID();
	const server = stack.use(unwrap(await startHookServer({ runDir: temp.path, now: Date.now, newId })));
	const { runtime, secret } = server.openLaunch({ gate, protocol });
	const events: RuntimeEvent[] = [];
	runtime.onEvent((event) => {
		events.push(event);
		const decision = event.interaction.expectsDecision ? decide(event) : undefined;
		if (decision) runtime.sendDecision(event.id, decision);
	});
	runtime.start();
	const owned = stack.move();
	return {
		events,
		reported: (hookName) => events.filter((event) => event.hookName === hookName).map(({ payload }) => payload),
		env: hookEnvironment({ secret, socketPath: server.socketPath, gate, session: 's1' }),
		dir: temp.path,
		hooks: { httpUrl: server.httpUrl, socketPath: server.socketPath },
		forwarder: FORWARDER,
		stop: () => server.close(),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
