// How much one client may request before it is refused, slowed or dropped.
import { MOST_PROMPT } from '@roost/protocol/api/driving';

export const DEFAULT_LIMITS = {
	/** Of one request body and of one frame. */
	bodyBytes: 1024 * 1024,
	/** Of a body that carries a prompt: JSON takes up to six bytes for a character. */
	promptBytes: 6 * MOST_PROMPT + 64 * 1024,
	jsonDepth: 64,
	/** Wrong credentials of one remote address. */
	wrongPerMinute: 5,
	/** Of links, challenges and socket tickets. */
	ticketMs: 30_000,
	bearerMs: 5 * 60_000,
	/** Sockets without their first frame; one more closes the oldest. */
	waitingSockets: 32,
	/** How long such a socket may wait, and how much it may send. */
	firstFrameMs: 5_000,
	firstFrameBytes: 1_024,
	clients: 512,
	subscriptions: 64,
	/** Unsent bytes of a client; beyond it gets nothing live. */
	queueBytes: 1024 * 1024,
	/** Lines per read of the log in a replay. */
	pageLines: 256,
	badFrames: 10,
	/** Calls of one client without a result. */
	openCommands: 64,
	pingMs: 15_000,
};
export type GatewayLimits = typeof DEFAULT_LIMITS;
