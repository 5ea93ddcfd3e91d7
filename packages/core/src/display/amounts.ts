// Numbers as people read them.

export function short(count: number): string {
	if (count < 1_000) return String(count);
	if (count < 999_950) return `${(count / 1_000).toFixed(1)}k`;
	return `${(count / 1_000_000).toFixed(1)}M`;
}

/** A small cost is not shown as $0.00. */
export function money(usd: number): string {
	return usd > 0 && usd < 0.005 ? 'under $0.01' : `about $${usd.toFixed(2)}`;
}
