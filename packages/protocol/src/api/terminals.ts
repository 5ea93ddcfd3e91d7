// Terminals over the wire: opened, listed and closed by HTTP; watched and typed into over a socket of their own.
// Text frames are the JSON below, binary frames are bytes: the program's output from the server, keys from the client.
import { z } from 'zod';
import { wireError } from '../app-error.ts';
import { projectRef, sessionId, terminalId } from '../ids.ts';
import { commandId } from './driving.ts';

/** Raised for incompatible changes, not for additions. */
export const TERMINAL_PROTOCOL = 1;

/** Of one frame, either way. */
export const MOST_FRAME_BYTES = 1024 * 1024;

/** The server pauses a client at the first number of unconfirmed bytes, and continues at the second. */
export const HIGH_WATERMARK = 512 * 1024;
export const LOW_WATERMARK = 128 * 1024;

const cells = z.int().min(1).max(1_000);
export const terminalSize = z.strictObject({ cols: cells, rows: cells });

/** `POST /terminals`: the user's shell in a folder of a project. */
export const openTerminalBody = z.strictObject({
	commandId,
	projectId: projectRef,
	/** The folder in the project where it starts; else its top. */
	cwd: z.string().min(1).optional(),
	size: terminalSize.optional(),
	title: z.string().min(1).max(200).optional(),
	/** Records its output to a file that can be replayed; secrets included. */
	recording: z.boolean().optional(),
});
export type OpenTerminal = Omit<z.infer<typeof openTerminalBody>, 'commandId'>;

/** `POST /terminals/:id/close` */
export const closeTerminalBody = z.strictObject({ commandId });

export const terminalRow = z.object({
	id: terminalId,
	sessionId: sessionId.nullable(),
	title: z.string(),
	cwd: z.string(),
	cols: z.number(),
	rows: z.number(),
	openedAt: z.number(),
	state: z.enum(['running', 'ended']),
	/** Null while it runs, or if it was closed. */
	exitCode: z.number().nullable(),
	viewers: z.number(),
	/** The file it is recorded to. */
	recording: z.string().nullable(),
});
export type TerminalRow = z.infer<typeof terminalRow>;

/** The first frame of a client: how large its window is, and whether it wants to type. */
const attach = z.strictObject({
	type: z.literal('attach'),
	...terminalSize.shape,
	want: z.enum(['control', 'view']),
	/** From an earlier connection that had control. */
	lease: z.string().min(1).max(64).optional(),
	/** `base64` for clients without binary frames. */
	encoding: z.enum(['binary', 'base64']).optional(),
	/** Lines above the screen that a snapshot includes. */
	scrollback: z.int().min(0).max(100_000).optional(),
});
export type AttachTerminal = Omit<z.infer<typeof attach>, 'type' | 'encoding'>;

export const terminalClientFrame = z.discriminatedUnion('type', [
	attach,
	/** Everything up to this position was shown. */
	z.strictObject({ type: z.literal('ack'), position: z.int().min(0) }),
	z.strictObject({ type: z.literal('resize'), ...terminalSize.shape }),
	/** Takes control from its current holder. */
	z.strictObject({ type: z.literal('take') }),
	/** Keys, from clients without binary frames. */
	z.strictObject({ type: z.literal('input'), base64: z.base64() }),
	z.strictObject({ type: z.literal('ping') }),
]);
export type TerminalClientFrame = z.infer<typeof terminalClientFrame>;

/** Whose keys the program gets; only the holder gets the `lease`. */
export const terminalControl = z.discriminatedUnion('holder', [
	z.object({ holder: z.literal('you'), lease: z.string() }),
	z.object({ holder: z.literal('other') }),
	z.object({ holder: z.literal('nobody') }),
]);
export type TerminalControl = z.infer<typeof terminalControl>;

export const terminalServerFrame = z.discriminatedUnion('type', [
	z.object({ type: z.literal('attached'), protocol: z.number(), terminal: terminalRow, control: terminalControl }),
	/** The next `bytes` bytes draw the screen as of `position` on an empty one; the bytes after them follow it. */
	z.object({ type: z.literal('snapshot'), position: z.number(), bytes: z.number(), cols: z.number(), rows: z.number() }),
	/** The content of a binary frame, for clients without them. */
	z.object({ type: z.literal('bytes'), base64: z.string() }),
	z.object({ type: z.literal('control'), control: terminalControl }),
	z.object({ type: z.literal('resized'), cols: z.number(), rows: z.number() }),
	/** The last frame: the program has ended. */
	z.object({ type: z.literal('closed'), exitCode: z.number().nullable(), signal: z.number().nullable() }),
	/** A request was refused; the connection ends if `final`. */
	z.object({
		type: z.literal('refused'),
		what: z.enum(['attach', 'input', 'resize', 'frame']),
		error: wireError,
		final: z.boolean(),
	}),
	z.object({ type: z.literal('pong') }),
]);
export type TerminalServerFrame = z.infer<typeof terminalServerFrame>;
