// How much one client may ask of the gateway before it is refused, slowed or dropped.
import { MOST_PROMPT } from '@roost/protocol/api/driving';

export type GatewayLimits = {
	/** Of one request body and of one frame. */
	bodyBytes: number;
	/** Of a body that carries a prompt: JSON takes up to six bytes for a character. */
	promptBytes: number;
	jsonDepth: number;
	/** Wrong credentials of one remote address. */
	wrongPerMinute: number;
	/** Of links, challenges and tickets of sockets. */
	ticketMs: number;
	bearerMs: number;
	/** Sockets whose first frame has not come yet; one more closes the oldest. */
	waitingSockets: number;
	/** How long such a socket may wait, and how much it may send. */
	firstFrameMs: number;
	firstFrameBytes: number;
	clients: number;
	subscriptions: number;
	/** Bytes a client has not taken yet; past it nothing live is pushed to it. */
	queueBytes: number;
	/** Lines of one read of the log while replaying. */
	pageLines: number;
	badFrames: number;
	/** Commands of one client that wait for their result. */
	openCommands: number;
	pingMs: number;
};

export const DEFAULT_LIMITS: GatewayLimits = {
	bodyBytes: 1024 * 1024,
	promptBytes: 6 * MOST_PROMPT + 64 * 1024,
	jsonDepth: 64,
	wrongPerMinute: 5,
	ticketMs: 30_000,
	bearerMs: 5 * 60_000,
	waitingSockets: 32,
	firstFrameMs: 5_000,
	firstFrameBytes: 1_024,
	clients: 512,
	subscriptions: 64,
	queueBytes: 1024 * 1024,
	pageLines: 256,
	badFrames: 10,
	openCommands: 64,
	pingMs: 15_000,
};
