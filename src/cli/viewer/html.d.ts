/** Pages are bundled as text (tools/build/build.mjs). */
declare module "*.html" {
  const text: string;
  export default text;
}
