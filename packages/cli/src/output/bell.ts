// The bell: how a terminal says that something waits. It carries an id and nothing of what is asked.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';

type Bell = {
	/** Rings once for each ask that waits, and only while nobody looks at what waits. */
	tell(ask: Pick<AskRow, 'id' | 'state'>, watching: number): void;
};

type Terminal = { isTTY?: boolean; write(text: string): unknown };

export function createBell(terminals: readonly Terminal[], env: NodeJS.ProcessEnv): Bell {
	const rung = new Set<string>();
	const terminal = terminals.find(({ isTTY }) => isTTY === true);
	return {
		tell({ id, state }, watching) {
			if (state !== 'pending') rung.delete(id);
			else if (watching === 0 && !rung.has(id)) {
				rung.add(id);
				terminal?.write(toBell(id, env));
			}
		},
	};
}

const BEL = '\u0007';

/** Neither moves the cursor nor draws: a program that owns the screen is not disturbed. */
export function toBell(askId: string, env: NodeJS.ProcessEnv): string {
	return isMultiplexer(env) ? BEL : `\u001b]9;Roost: ask ${sanitiseLine(askId)} waits\u001b\\${BEL}`;
}

/** They keep a notification for themselves; a bell they hand on. */
function isMultiplexer({ TMUX, TERM = '' }: NodeJS.ProcessEnv): boolean {
	return Boolean(TMUX) || /^(?:tmux|screen)/.test(TERM);
}
