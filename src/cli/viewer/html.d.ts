/** Pages are bundled as text (build.mjs). */
declare module "*.html" {
  const text: string;
  export default text;
}
