/** The page of `shelpa-mcp audit serve` in a real browser where the machine has one (Debian's chromium). */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import axeCore from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { recordMany } from "./viewer/long-journal.ts";
import { call, FIVE, recordFive, served, shell, type Served } from "./viewer/served.ts";

const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
/** Set by `npm run screenshots` to the directory of the pictures. */
const pictures = process.env["SHELPA_SCREENSHOTS"];

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const BERLIN: BrowserContextOptions = { timezoneId: "Europe/Berlin", locale: "en-GB" };
const PATIENCE_MS = 30_000;
const SLOW = { timeout: 120_000 };

needs({ name: "Chromium", isHere: BROWSER !== undefined }).describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update"];
    browser = await chromium.launch({ executablePath: BROWSER as string, args: quiet });
  }, 60_000);
  afterAll(() => browser.close());

  /** Opens the page, acts, and holds that nothing went wrong in it, nothing was loaded from elsewhere, and no request has the token in its address. */
  async function visit(url: URL, options: BrowserContextOptions, act: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ ...BERLIN, ...options });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const wrong: string[] = [];
      page.on("pageerror", (error) => wrong.push(error.message));
      page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
      page.on("request", (request) => {
        const asked = new URL(request.url());
        if (asked.protocol === "blob:") return;
        if (asked.origin !== url.origin || `${asked.pathname}${asked.search}`.includes(url.hash.slice(1))) wrong.push(`asked for ${asked}`);
      });
      await page.goto(url.href);
      await page.waitForFunction(() => document.getElementById("count")?.textContent !== "");
      await act(page);
      expect(wrong).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const rows = (page: Page): Promise<string[]> => page.locator("#timeline .file").allInnerTexts();
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.querySelector(".file")?.textContent ?? ""}`.trim());
  const waitForRows = (page: Page, count: number): Promise<unknown> =>
    page.waitForFunction((wanted) => document.querySelectorAll("#timeline li").length === wanted, count);
  /** The page's own state, once its list is the one of the address. */
  const addressOf = (page: Page): string => new URL(page.url()).hash.replace(/^#[^?]*/, "");
  const picture = async (page: Page, name: string): Promise<void> => {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `audit-${name}.png`), animations: "disabled" });
  };

  describe("five records and three refusals", () => {
    let place: Tree;
    let server: Served;
    beforeAll(async () => {
      place = tree(FIVE);
      recordFive(place.path);
      server = await served(place.path);
    }, 60_000);
    afterAll(() => {
      server.stop();
      place.remove();
    });

    const ALL = ["DISALLOWED_CMD", "PATH_ESCAPE", "DISALLOWED_CMD", "src/a.ts", "2 writes", "notes.md", "src/a.ts"];

    test("the list, the sums, one record", SLOW, () =>
      visit(server.url, DESKTOP, async (page) => {
        expect(await rows(page)).toEqual(ALL);
        expect(await page.locator("#count").innerText()).toBe("8 records, newest first. Times: Europe/Berlin.");
        await page.waitForSelector("table.plain");
        expect(await page.locator("table.plain").first().innerText()).toMatch(
          /^Refusals by reason\s+Reason\s+Calls\s+DISALLOWED_CMD\s+2\s+PATH_ESCAPE\s+1$/,
        );
        await page.locator("#timeline a", { hasText: "c = 30" }).click();
        await page.waitForSelector("table.diff");
        expect(await page.locator("tr.changed .o").innerText()).toBe("const c = 3;");
        expect(await page.locator("tr.changed .w").innerText()).toBe("const c = 30;");
        expect(await page.locator("main .good").innerText()).toBe("The file is as this write left it.");
        expect(await page.title()).toBe("src/a.ts – shelpa audit");
        await picture(page, "desktop");
        await page.locator("#timeline a", { hasText: "not markup" }).click();
        await page.waitForSelector("tr.added .w");
        expect(await page.locator("tr.added .w").innerText()).toBe("<b>not markup</b>");
        expect(await page.locator("main b").count()).toBe(0);
      }),
    );

    test("dark", SLOW, () =>
      visit(server.url, { ...DESKTOP, colorScheme: "dark" }, async (page) => {
        expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(20, 23, 28)");
        await page.locator("#timeline a", { hasText: "c = 30" }).click();
        await page.waitForSelector("table.diff");
        await picture(page, "dark");
      }),
    );

    test("a phone: the list, one record, and back, without scrolling sideways", SLOW, () =>
      visit(server.url, PHONE, async (page) => {
        const fits = (): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
        expect(await page.locator("#shown").isVisible()).toBe(false);
        expect(await fits()).toBe(true);
        await picture(page, "phone-list");
        await page.locator("#timeline a", { hasText: "c = 30" }).click();
        await page.waitForSelector("table.diff");
        expect(await page.locator("#records").isVisible()).toBe(false);
        expect((await page.locator("#shown").boundingBox())?.width).toBe(390 - 24);
        expect(await fits()).toBe(true);
        await page.locator("#undo").scrollIntoViewIfNeeded();
        expect(await page.locator("tr.changed").innerText()).toMatch(/^3\s+const c = 3;\s+3\s+const c = 30;$/);
        await picture(page, "phone-record");
        await page.click("#back");
        expect(await page.locator("#shown").isVisible()).toBe(false);
        expect(await focused(page)).toBe("A src/a.ts");
      }),
    );

    test("the keyboard: arrows move, Enter opens and keeps the focus, arrow right reads, Escape comes back", SLOW, () =>
      visit(server.url, DESKTOP, async (page) => {
        await page.keyboard.press("Escape");
        expect(await focused(page)).toBe("A DISALLOWED_CMD");
        for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
        await page.waitForSelector("table.diff");
        expect(await focused(page)).toBe("A src/a.ts");
        expect(await page.locator("[aria-current=true]").count()).toBe(1);
        expect(await page.locator("#status").innerText()).toContain("src/a.ts is open");
        await page.keyboard.press("ArrowRight");
        expect(await focused(page)).toBe("H2");
        await page.keyboard.press("Escape");
        expect(await focused(page)).toBe("A src/a.ts");
        await page.keyboard.press("End");
        expect(await page.evaluate(() => document.querySelector("#timeline li:last-child a") === document.activeElement)).toBe(true);
        await page.keyboard.press("Home");
        expect(await focused(page)).toBe("A DISALLOWED_CMD");
        // The list is one stop of Tab.
        await page.keyboard.press("Tab");
        expect(await page.evaluate(() => document.activeElement?.closest("#timeline"))).toBeNull();
        await page.keyboard.press("/");
        expect(await page.evaluate(() => document.activeElement?.id)).toBe("text");
      }),
    );

    test("each record and each filter has an address; Back and a reload keep to it", SLOW, () =>
      visit(server.url, DESKTOP, async (page) => {
        await page.selectOption("#kind", "write");
        await waitForRows(page, 4);
        expect(addressOf(page)).toBe("?kind=write");
        await page.fill("#under", "src");
        await waitForRows(page, 2);
        expect(addressOf(page)).toBe("?kind=write&under=src");
        await page.locator("#timeline a").first().click();
        await page.waitForSelector("table.diff");
        expect(addressOf(page)).toMatch(/^\?kind=write&under=src&entry=\d+$/);
        await page.reload();
        await page.waitForSelector("table.diff");
        expect(await rows(page)).toEqual(["src/a.ts", "src/a.ts"]);
        expect([await page.inputValue("#kind"), await page.inputValue("#under")]).toEqual(["write", "src"]);
        await page.goBack();
        await page.waitForSelector("main table.plain");
        expect(addressOf(page)).toBe("?kind=write&under=src");
        await page.goBack();
        await waitForRows(page, 7);
        expect([addressOf(page), await page.inputValue("#kind")]).toEqual(["", ""]);
      }),
    );

    test.each([
      ["#text", "claude-code", 4],
      ["#text", "shelpa", 3],
      ["#change", "created", 2],
      ["#client", "claude-code", 4],
      ["#session", "default", 7],
      ["#approved", "human", 0],
      ["#age", "1h", 7],
    ])("the filter %s: %s", SLOW, (field, value, count) =>
      visit(server.url, DESKTOP, async (page) => {
        if (field === "#text") await page.fill(field, value);
        else await page.selectOption(field, value);
        await waitForRows(page, count);
        expect(await page.locator("#no-match").isVisible()).toBe(count === 0);
        await page.click("text=Clear filters");
        await waitForRows(page, 7);
        expect(addressOf(page)).toBe("");
      }),
    );

    test("a time from … to … is of the browser's zone", SLOW, () =>
      visit(server.url, { ...DESKTOP, timezoneId: "Asia/Tokyo" }, async (page) => {
        expect(await page.locator("#count").innerText()).toContain("Times: Asia/Tokyo.");
        await page.selectOption("#age", "between");
        await page.fill("#until", "2020-01-02T09:00:00");
        await page.locator("#until").blur();
        await waitForRows(page, 0);
        expect(addressOf(page)).toBe("?until=2020-01-02T00%3A00%3A00.000Z");
      }),
    );

    test("a time is shown in the browser's zone, and the exact one with it", SLOW, () =>
      visit(server.url, { ...DESKTOP, timezoneId: "Asia/Tokyo" }, async (page) => {
        const time = page.locator("#timeline time").first();
        const instant = (await time.getAttribute("datetime")) ?? "";
        const shown = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "Asia/Tokyo" });
        expect(await time.innerText()).toBe(shown.format(new Date(instant)));
        await page.locator("#timeline a").first().click();
        await page.waitForSelector("main dl time");
        expect(await page.locator("main dl time").innerText()).toMatch(/ (?:GMT\+9|JST)$/);
      }),
    );

    test("the history of a file, its neighbours, the writes of one command line", SLOW, () =>
      visit(server.url, DESKTOP, async (page) => {
        await page.locator("#timeline a", { hasText: "c = 30" }).click();
        await page.click("text=Earlier change");
        await page.waitForSelector("text=Later change");
        expect(await page.locator("tr.changed .w").innerText()).toBe("const b = 20;");
        await page.click("text=History of this file");
        await waitForRows(page, 2);
        expect(addressOf(page)).toMatch(/^\?path=src%2Fa\.ts&entry=\d+$/);
        await page.click("text=Clear filters");
        await waitForRows(page, 7);
        await page.locator("#timeline a.group").click();
        await waitForRows(page, 2);
        expect(await rows(page)).toEqual(["docs/two.md", "docs/one.md"]);
      }),
    );

    test("what is shown is exported, as CSV and as JSON", SLOW, () =>
      visit(server.url, DESKTOP, async (page) => {
        await page.fill("#under", "docs");
        await waitForRows(page, 1);
        for (const [button, name, line] of [
          ["#csv", "shelpa-audit.csv", /^time,record,.*\r\n.*docs\/one\.md.*\r\n.*docs\/two\.md.*\r\n$/],
          ["#jsonl", "shelpa-audit.jsonl", /^\{.*"docs\/one\.md".*\}\n\{.*"docs\/two\.md".*\}\n$/],
        ] as const) {
          const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
          expect(download.suggestedFilename()).toBe(name);
          expect(readFileSync(await download.path(), "utf8")).toMatch(line);
        }
      }),
    );

    test("bytes before and after are downloaded, and a command line is copied", SLOW, () =>
      visit(server.url, { ...DESKTOP, permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
        await page.locator("#timeline a", { hasText: "c = 30" }).click();
        await page.waitForSelector("table.diff");
        for (const [side, text] of [
          ["before", "const a = 1;\nconst b = 20;\nconst c = 3;\n"],
          ["after", "const a = 1;\nconst b = 20;\nconst c = 30;\n"],
        ]) {
          const [download] = await Promise.all([page.waitForEvent("download"), page.click(`text=Download ${side}`)]);
          expect(download.suggestedFilename()).toMatch(new RegExp(`^${side}-\\d+-a\\.ts$`));
          expect(readFileSync(await download.path(), "utf8")).toBe(text);
        }
        await page.getByRole("button", { name: "Copy the command line" }).click();
        await page.waitForFunction(() => document.getElementById("status")?.textContent === "The command line is copied.");
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("sed 's/c = 3/c = 30/' src/a.ts | tee src/a.ts");
      }),
    );

    test("verification", SLOW, () =>
      visit(server.url, DESKTOP, async (page) => {
        await page.click("#to-verify");
        await page.waitForSelector("main .good");
        expect(await page.locator("main .good").innerText()).toBe("6 records of 4 files, 0 findings.");
        expect(addressOf(page)).toBe("?view=verify");
      }),
    );

    test("a page without the token shows no record", SLOW, async () => {
      const page = await browser.newPage();
      try {
        await page.goto(url(server, "#"));
        await page.waitForSelector("main [role=alert]");
        expect(await page.locator("main [role=alert]").first().innerText()).toContain("the address lacks the token that was printed");
        expect(await page.locator("#timeline li").count()).toBe(0);
      } finally {
        await page.close();
      }
    });

    /** The views whose accessibility is held, with what waits for each. */
    const VIEWS = [
      ["list", "", "#timeline li"],
      ["record", "c = 30", "table.diff"],
      ["refusal", "localhost", "main dl"],
    ] as const;
    const LOOKS = [PHONE, DESKTOP].flatMap((size) => (["light", "dark"] as const).map((colorScheme) => ({ ...size, colorScheme })));
    test.each(
      LOOKS.flatMap((look) => VIEWS.map((view) => [`${look.viewport?.width} px, ${look.colorScheme}, ${view[0]}`, look, view] as const)),
    )("no violation that axe-core finds: %s", SLOW, (_, look, [, text, selector]) =>
      // axe is a script of its own, which the page's policy would not let in.
      visit(server.url, { ...look, bypassCSP: true }, async (page) => {
        if (text !== "") await page.locator("#timeline a", { hasText: text }).first().click();
        await page.waitForSelector(selector);
        expect(await violations(page)).toEqual([]);
      }),
    );
    test.each(["to-verify", "to-overview"])("no violation that axe-core finds: %s", SLOW, (id) =>
      visit(server.url, { ...DESKTOP, bypassCSP: true }, async (page) => {
        await page.click(`#${id}`);
        await page.waitForSelector(id === "to-verify" ? "main .good" : "table.plain");
        expect(await violations(page)).toEqual([]);
      }),
    );
    test("no violation that axe-core finds: the question before a restore", SLOW, () =>
      visit(server.url, { ...DESKTOP, bypassCSP: true }, async (page) => {
        await page.locator("#timeline a", { hasText: "c = 30" }).click();
        await page.click("#undo");
        expect(await page.locator("dialog").isVisible()).toBe(true);
        expect(await violations(page)).toEqual([]);
      }),
    );
  });

  test("a restore is asked about, recorded, and shown", SLOW, async () => {
    const place = tree(FIVE);
    recordFive(place.path);
    const server = await served(place.path);
    try {
      await visit(server.url, DESKTOP, async (page) => {
        await page.locator("#timeline a", { hasText: "c = 30" }).click();
        await page.click("#undo");
        expect(await page.locator("#question").innerText()).toMatch(/^Put src\/a\.ts back to what it was before record \d+\?/);
        await page.click("#no");
        expect(await page.evaluate(() => document.activeElement?.id)).toBe("undo");
        expect(readFileSync(`${place.path}/src/a.ts`, "utf8")).toContain("c = 30");
        await page.click("#undo");
        await page.click("#yes");
        await page.waitForSelector("main dd:text('audit viewer')");
        await waitForRows(page, 8);
        expect(await page.locator("[aria-current=true] .command").innerText()).toMatch(/^shelpa-mcp audit restore \d+ --undo$/);
        expect(readFileSync(`${place.path}/src/a.ts`, "utf8")).toBe("const a = 1;\nconst b = 20;\nconst c = 3;\n");
      });
    } finally {
      server.stop();
      place.remove();
    }
  });

  test("no record: a line that makes one is shown, and what it made then comes by itself, with the focus kept", SLOW, async () => {
    const place = tree(["f: x\n"]);
    const server = await served(place.path);
    try {
      await visit(server.url, { ...DESKTOP, bypassCSP: true }, async (page) => {
        const line = await page.locator("#empty code").innerText();
        expect(line).toBe('shelpa-mcp run "echo hello | tee hello.txt"');
        expect(await violations(page)).toEqual([]);
        await picture(page, "empty");
        shell(place.path, "echo hello | tee hello.txt");
        await waitForRows(page, 1);
        expect(await page.locator("#empty").isVisible()).toBe(false);
        await page.locator("#timeline a").focus();
        shell(place.path, "echo again | tee f");
        await waitForRows(page, 2);
        expect(await rows(page)).toEqual(["f", "hello.txt"]);
        expect(await focused(page)).toBe("A hello.txt");
        expect(await page.locator("#status").innerText()).toBe("1 new record");
        await page.uncheck("#live");
        call(place.path, "nmap");
        await page.check("#live");
        await waitForRows(page, 3);
        expect(await focused(page)).toBe("INPUT");
      });
    } finally {
      server.stop();
      place.remove();
    }
  });

  test("100,000 records: a page at a time", { timeout: 300_000 }, async () => {
    const place = tree([], { isOnDisk: true });
    recordMany(place.path, 100_000);
    const server = await served(place.path);
    try {
      await visit(server.url, { ...DESKTOP, bypassCSP: true }, async (page) => {
        expect(await page.locator("#count").innerText()).toBe("100,000 records, newest first. Times: Europe/Berlin.");
        expect(await page.locator("#extent").innerText()).toMatch(/^The newest 1\d\d of 100,000 are shown\.$/);
        expect(await page.locator("#timeline li").count()).toBe(100);
        const answer = await server.ask("/api/entries", server.authorized);
        expect(answer.text.length).toBeLessThan(100_000);
        await page.reload();
        await page.waitForSelector("#timeline li");
        console.log(`100,000 records: listed ${Math.round(await page.evaluate(() => performance.now()))} ms after the navigation`);
        await page.click("#more");
        await waitForRows(page, 200);
        expect(await page.evaluate(() => document.querySelector("#timeline li:nth-child(101) a") === document.activeElement)).toBe(true);
        await page.selectOption("#client", "cursor");
        await page.waitForFunction(() => document.getElementById("count")?.textContent?.startsWith("33,330 of 100,000 records"));
        await page.click("text=Clear filters");
        await page.waitForFunction(() => document.getElementById("count")?.textContent?.startsWith("100,000 records"));
        await page.locator("#timeline a.write").first().click();
        const opened = await page.evaluate(() => performance.now());
        await page.waitForSelector("table.diff");
        console.log(`one of them: opened in ${Math.round((await page.evaluate(() => performance.now())) - opened)} ms`);
        expect(await violations(page)).toEqual([]);
        await picture(page, "many");
      });
    } finally {
      server.stop();
      place.remove();
    }
  });
});

const url = (server: Served, hash: string): string => new URL(hash, server.url).href;

/** What axe-core finds wrong with the page as it is: rules, and the elements that break them. */
function violations(page: Page): Promise<readonly string[]> {
  return page.evaluate(async (source) => {
    // The package is a script, which puts its name into the window.
    const script = document.createElement("script");
    script.textContent = source;
    document.head.append(script);
    script.remove();
    const { axe } = window as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)}: ${failureSummary}`),
    );
  }, axeCore.source);
}
