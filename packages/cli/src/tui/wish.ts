// What a screen wants done. The outcome is never the reply to a wish: it is the next fact in the world.
import type { ApproveBody } from '@roost/protocol/api/answers';
import type { RuleBody } from '@roost/protocol/api/rules';
import type { AskRow } from '@roost/protocol/ask';
import type { RuleId, SessionId } from '@roost/protocol/ids';
import type { ThemeName } from './screen/look.ts';

export type Wish =
	| { type: 'approve'; ask: AskRow; answer: Omit<ApproveBody, 'askId' | 'nonce'> }
	| { type: 'answer'; ask: AskRow; answers: Record<string, string> }
	| { type: 'add-rule'; rule: RuleBody }
	| { type: 'remove-rule'; id: RuleId }
	| { type: 'open-session'; id: SessionId }
	| { type: 'refresh-sessions' }
	| { type: 'copy'; text: string }
	| { type: 'export' }
	| { type: 'theme'; theme: ThemeName }
	/** One sentence for the status line. */
	| { type: 'say'; sentence: string }
	| { type: 'quit' };
