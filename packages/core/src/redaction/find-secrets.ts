// All searches over one text. Each is linear: plain loops, or expressions whose every quantifier is bounded.
import { findCommandSecrets } from './command-secrets.ts';
import type { Add } from './mark.ts';
import { findNamedSecrets } from './named-secrets.ts';
import { findPlacedSecrets } from './placed-secrets.ts';
import { findPrivateKeys } from './private-keys.ts';
import { collectSpans, type Span } from './spans.ts';
import { findTokens } from './tokens.ts';
import { findWrappedSecrets } from './wrapped-secrets.ts';

const MOST_WRAPPINGS = 2;

export function findSecrets(text: string): Span[] {
	return collectSpans((add) => searchAll(text, add, MOST_WRAPPINGS));
}

function searchAll(text: string, add: Add, wrappings: number): void {
	findPrivateKeys(text, add);
	findTokens(text, add);
	findPlacedSecrets(text, add);
	findCommandSecrets(text, add);
	findNamedSecrets(text, add);
	if (wrappings > 0) findWrappedSecrets(text, (plain) => holdsAny(plain, wrappings - 1), add);
}

function holdsAny(text: string, wrappings: number): boolean {
	let found = false;
	searchAll(
		text,
		() => {
			found = true;
		},
		wrappings,
	);
	return found;
}
