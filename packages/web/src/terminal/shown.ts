// What is known about a terminal that is shown.
import type { TerminalOver } from '@roost/client/terminal-client';
import type { TerminalControl, TerminalRow } from '@roost/protocol/api/terminals';

export type Shown = {
	readonly state: 'connecting' | 'live' | 'reconnecting' | 'ended';
	/** When it entered this state. */
	readonly since: number;
	/** Undefined until it was attached once. */
	readonly row: TerminalRow | undefined;
	readonly holder: TerminalControl['holder'];
	/** How it ended. */
	readonly over: TerminalOver | undefined;
	/** It ended while the connection was lost. */
	readonly endedUnseen: boolean;
};

export const CONNECTING: Shown = {
	state: 'connecting',
	since: 0,
	row: undefined,
	holder: 'nobody',
	over: undefined,
	endedUnseen: false,
};
