// What a screen of the terminal wants done: by the runner, or by the terminal itself.
import type { Wish as RunnerWish } from '@roost/client/world/wish';
import type { SessionId } from '@roost/protocol/ids';
import type { ThemeName } from './screen/styles.ts';

export type Wish =
	| RunnerWish
	| { type: 'copy'; text: string }
	/** The feed without what it shows so far, or with all of it again. */
	| { type: 'clear' | 'show-all' }
	| { type: 'theme'; theme: ThemeName }
	/** One sentence for the status line. */
	| { type: 'say'; sentence: string }
	/** Its terminal instead of this screen, until the user comes back. */
	| { type: 'attach'; id: SessionId }
	| { type: 'quit' };
