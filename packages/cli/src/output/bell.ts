// The terminal bell for pending requests. It carries an ID and nothing of the request.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';

type Bell = {
	/** Rings once per pending ask, and only while no screen shows pending asks. */
	report(ask: Pick<AskRow, 'id' | 'state'>, watching: number): void;
};

type Terminal = { isTTY?: boolean; write(text: string): unknown };

export function createBell(terminals: readonly Terminal[], env: NodeJS.ProcessEnv): Bell {
	const rung = new Set<string>();
	const terminal = terminals.find(({ isTTY }) => isTTY === true);
	return {
		report({ id, state }, watching) {
			if (state !== 'pending') rung.delete(id);
			else if (watching === 0 && !rung.has(id)) {
				rung.add(id);
				terminal?.write(toBell(id, env));
			}
		},
	};
}

const BEL = '\u0007';

/** Neither moves the cursor nor draws, so it does not disturb a full-screen program. */
export function toBell(askId: string, env: NodeJS.ProcessEnv): string {
	return isMultiplexer(env) ? BEL : `\u001b]9;Roost: ask ${sanitiseLine(askId)} waits\u001b\\${BEL}`;
}

/** Multiplexers do not forward notifications, only the bell. */
function isMultiplexer({ TMUX, TERM = '' }: NodeJS.ProcessEnv): boolean {
	return Boolean(TMUX) || /^(?:tmux|screen)/.test(TERM);
}
