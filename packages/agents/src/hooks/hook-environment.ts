// Environment variables for the hooks of one launch.
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { toProgramMs } from '../base/ask-timeouts.ts';

/** The secret only allows reports for this launch. */
export function hookEnvironment(launch: {
	secret: string;
	socketPath: string;
	gate: GateMode;
	session: string;
	askMs?: number | undefined;
}): Record<string, string> {
	return {
		...(launch.askMs === undefined ? {} : { ROOST_HOOK_WAIT_MS: String(toProgramMs(launch.askMs)) }),
		ROOST_HOOK_SECRET: launch.secret,
		ROOST_HOOK_SOCKET: launch.socketPath,
		ROOST_HOOK_GATE: launch.gate,
		ROOST_SESSION: launch.session,
	};
}
