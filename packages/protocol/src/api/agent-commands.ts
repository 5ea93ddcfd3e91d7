// What every command to an agent's own command line has in common: where it runs, what comes back, how far it is.
import { z } from 'zod';

/** The folder that local and project scope belong to; the runner checks that it exists. */
export const projectFolder = z
	.string()
	.min(1)
	.max(4_096)
	.refine(isPlainText, 'expected the absolute path of a folder that exists');

/** `user`: everywhere. `project`: shared with the repository. `local`: here, and not shared. */
export const configScope = z.enum(['user', 'project', 'local']);
export type ConfigScope = z.infer<typeof configScope>;

/** What the command line itself said when it was done. */
export const commandOutput = z.object({ output: z.string() });
export type CommandOutput = z.infer<typeof commandOutput>;

/** `GET /commands/:id` */
export const commandProgress = z.object({
	/** False also for an id that nobody knows. */
	running: z.boolean(),
	elapsedMs: z.number(),
	/** The latest lines, oldest first. */
	lines: z.array(z.string()),
	/** How many lines there were before these. */
	dropped: z.number(),
});
export type CommandProgress = z.infer<typeof commandProgress>;

/** Text that may stand in an argument: none can hold a NUL, and other control characters only hide. */
export function isPlainText(text: string): boolean {
	return !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** Never mistaken for an option, also where a program does not know `--`. */
export function isOperand(text: string): boolean {
	return text !== '' && !text.startsWith('-') && isPlainText(text);
}
