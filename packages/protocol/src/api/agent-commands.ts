// Commands of an agent's own command line: folder, scope, output and progress.
import { z } from 'zod';

/** The folder for local and project scope; the runner checks that it exists. */
export const projectFolder = z
	.string()
	.min(1)
	.max(4_096)
	.refine(isPlainText, 'expected the absolute path of a folder that exists');

/** `user`: everywhere. `project`: shared with the repository. `local`: here, and not shared. */
export const configScope = z.enum(['user', 'project', 'local']);
export type ConfigScope = z.infer<typeof configScope>;

/** The output of the command line. */
export const commandOutput = z.object({ output: z.string() });
export type CommandOutput = z.infer<typeof commandOutput>;

/** `GET /commands/:id` */
export const commandProgress = z.object({
	/** Also false for an unknown id. */
	running: z.boolean(),
	elapsedMs: z.number(),
	/** The latest lines, oldest first. */
	lines: z.array(z.string()),
	/** Number of lines before these. */
	dropped: z.number(),
});
export type CommandProgress = z.infer<typeof commandProgress>;

/** Text that is allowed in an argument: no NUL, and no control characters, which only hide text. */
export function isPlainText(text: string): boolean {
	return !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** Text that no program takes for an option, even one without `--`. */
export function isOperand(text: string): boolean {
	return text !== '' && !text.startsWith('-') && isPlainText(text);
}
