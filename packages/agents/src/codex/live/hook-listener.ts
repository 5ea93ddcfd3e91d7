// The listener for hooks of one driven Codex: its own socket, and a secret that only its process has.
import { toolInput } from '@roost/protocol/feed/base';
import { ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { digestOf, newSecret } from '../../hooks/hook-targets.ts';
import { hookSocketPath, openSocketListener } from '../../hooks/socket-listener.ts';
import { type HookAnswer, toHookOutput } from '../hook-output.ts';

export type HookListener = {
	/** Variables for the process. */
	readonly env: Readonly<Record<string, string>>;
	close(): Promise<void>;
};

const announced = z.object({
	tool_name: z.string(),
	tool_input: toolInput,
	tool_use_id: z.string(),
	cwd: z.string(),
	agent_id: z.string().optional(),
	agent_type: z.string().optional(),
});
export type AnnouncedCall = z.infer<typeof announced>;

export type HookListenerDeps = {
	runDir: string;
	now: () => number;
	newId: () => string;
	/** Aborted when the hook stops waiting. */
	onCall: (call: AnnouncedCall, signal: AbortSignal) => Promise<HookAnswer>;
};

const MAX_BYTES = 8 * 1024 * 1024;
const UNREADABLE: HookAnswer = { type: 'deny', reason: 'Roost could not read what this call would do.' };

export async function openHookListener({ runDir, now, newId, onCall }: HookListenerDeps): Promise<Result<HookListener>> {
	const socketPath = hookSocketPath(runDir, `codex ${newId()}`);
	if (!socketPath.ok) return socketPath;
	const secret = newSecret();
	const digest = digestOf(secret);
	const target = {
		accept(envelope: { payload: unknown }, answer: (payload: ReturnType<typeof toHookOutput>) => void) {
			const stop = new AbortController();
			const call = announced.safeParse(envelope.payload);
			const answered = call.success ? onCall(call.data, stop.signal) : Promise.resolve(UNREADABLE);
			void answered.then((given) => answer(toHookOutput(given)));
			return ok({ abandon: () => stop.abort() });
		},
		report: () => {},
		stop: () => {},
	};
	const findTarget = (given: string | undefined) => (given !== undefined && digestOf(given) === digest ? target : undefined);
	const door = await openSocketListener({ findTarget, now, newId, maxBytes: MAX_BYTES, onRefused: () => {} }, socketPath.value);
	return ok({
		env: { ROOST_HOOK_SOCKET: socketPath.value, ROOST_HOOK_SECRET: secret, ROOST_HOOK_GATE: 'enforce' },
		close: door.close,
	});
}
