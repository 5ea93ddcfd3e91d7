// How the screen shall look: what was asked for on the command line, and what the terminal can show.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type StyleOptions, THEMES } from './styles.ts';

export function toStyleOptions(
	options: { theme?: string | undefined; ascii?: boolean | undefined },
	env: NodeJS.ProcessEnv,
): Result<StyleOptions> {
	const theme = THEMES.find((name) => name === (options.theme ?? 'dark'));
	if (!theme) return err(new AppError('usage', `--theme takes ${THEMES.join(', ')}; it was "${options.theme}".`));
	return ok({ theme, colour: !env.NO_COLOR, ascii: options.ascii === true || !showsGlyphs(env) });
}

/** The console of Linux has few glyphs, and a plain C locale promises none. */
function showsGlyphs(env: NodeJS.ProcessEnv): boolean {
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
	return env.TERM !== 'linux' && locale !== 'C' && locale !== 'POSIX';
}
