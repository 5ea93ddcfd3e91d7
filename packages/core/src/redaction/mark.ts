// Records a secret that was found and gives the text that stands in its place.
export type Mark = (kind: string, secret: string) => string;
