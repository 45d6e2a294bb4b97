// The types of imported files that are not code (web/build.ts).
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
/** A document of the repository, as HTML. */
declare module '*.md' {
  const html: string;
  export default html;
}
