// builtins/symbols/queries/bash.ts
var bash = {
  name: "Bash",
  grammar: "bash",
  extensions: ["sh", "bash", "ksh", "bats"],
  interpreters: ["bash", "sh", "dash", "ksh", "zsh"],
  definitions: `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(program (command name: (command_name (word) @_command) argument: (concatenation (word) @name)) @alias (#eq? @_command "alias"))
`,
  identifiers: ["word", "variable_name"]
};

// builtins/symbols/queries/c.ts
var c = {
  name: "C",
  grammar: "c",
  extensions: ["c"],
  definitions: `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (_ (_ (function_declarator declarator: (identifier) @name)))) @function
(function_definition declarator: (_ (_ (_ (function_declarator declarator: (identifier) @name))))) @function
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @field
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @member
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
    (array_declarator declarator: (identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])]) @variable)
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "statement_identifier"]
};

// builtins/symbols/queries/cpp.ts
var cpp = {
  name: "C++",
  grammar: "cpp",
  extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "h"],
  definitions: `
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)) @function
(function_definition declarator: (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name))) @function
(function_definition declarator: (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)))) @function
(field_declaration_list (declaration declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @method)
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)) @method
(field_declaration declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @method
(field_declaration declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name) (array_declarator declarator: (field_identifier) @name)]) @field
(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @member
(namespace_definition name: (_) @name) @namespace
(type_definition declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name) (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @type
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])) @variable)
(translation_unit (declaration declarator: (identifier) @name) @variable)
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "namespace_identifier", "statement_identifier"]
};

// builtins/symbols/queries/csharp.ts
var csharp = {
  name: "C#",
  grammar: "c-sharp",
  extensions: ["cs", "csx"],
  definitions: `
(namespace_declaration name: (_) @name) @namespace
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @member
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(destructor_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name) @property
(event_declaration name: (identifier) @name) @property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
`,
  identifiers: ["identifier"]
};

// builtins/symbols/queries/css.ts
var css = {
  name: "CSS",
  grammar: "css",
  extensions: ["css"],
  definitions: `
(rule_set (selectors (class_selector (class_name) @name))) @class
(rule_set (selectors (id_selector (id_name) @name))) @id
(keyframes_statement (keyframes_name) @name) @keyframes
(declaration (property_name) @name (#match? @name "^--")) @variable
`,
  identifiers: ["class_name", "id_name", "keyframes_name", "property_name", "plain_value", "tag_name"]
};

// builtins/symbols/queries/go.ts
var go = {
  name: "Go",
  grammar: "go",
  extensions: ["go"],
  definitions: `
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @method
(field_declaration name: (field_identifier) @name) @field
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "package_identifier"]
};

// builtins/symbols/queries/java.ts
var java = {
  name: "Java",
  grammar: "java",
  extensions: ["java"],
  definitions: `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @member
(method_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(compact_constructor_declaration name: (identifier) @name) @constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
`,
  identifiers: ["identifier", "type_identifier"]
};

// builtins/symbols/queries/ecmascript.ts
var ECMASCRIPT_DEFINITIONS = `
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))
(program (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)))
(program (export_statement (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @function
`;
var ECMASCRIPT_IDENTIFIERS = [
  "identifier",
  "property_identifier",
  "private_property_identifier",
  "shorthand_property_identifier",
  "shorthand_property_identifier_pattern",
  "statement_identifier"
];

// builtins/symbols/queries/javascript.ts
var javascript = {
  name: "JavaScript",
  grammar: "javascript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  interpreters: ["node", "deno", "bun"],
  definitions: `${ECMASCRIPT_DEFINITIONS}
(class_declaration name: (identifier) @name) @class
(class name: (identifier) @name) @class
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @property
`,
  identifiers: ECMASCRIPT_IDENTIFIERS
};

// builtins/symbols/queries/kotlin.ts
var kotlin = {
  name: "Kotlin",
  grammar: "kotlin",
  extensions: ["kt", "kts"],
  definitions: `
(class_declaration "interface" name: (identifier) @name) @interface
(class_declaration (modifiers (class_modifier) @_modifier) name: (identifier) @name (#eq? @_modifier "enum")) @enum
(class_declaration (modifiers (class_modifier) @_modifier) name: (identifier) @name (#eq? @_modifier "annotation")) @interface
(class_declaration name: (identifier) @name) @class
(object_declaration name: (identifier) @name) @class
(companion_object name: (identifier) @name) @class
(enum_entry (identifier) @name) @member
(secondary_constructor "constructor" @name) @constructor
(function_declaration
  [(user_type (identifier) @owner . (type_arguments)? .) (nullable_type (user_type (identifier) @owner . (type_arguments)? .))]
  . name: (identifier) @name) @method
(function_declaration name: (identifier) @name) @function
(class_parameter ["val" "var"] (identifier) @name) @property
(class_body (property_declaration (variable_declaration . (identifier) @name)) @property)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @property)
(source_file (property_declaration (modifiers (property_modifier) @_modifier) (variable_declaration . (identifier) @name) (#eq? @_modifier "const")) @constant)
(source_file (property_declaration
  [(user_type (identifier) @owner . (type_arguments)? .) (nullable_type (user_type (identifier) @owner . (type_arguments)? .))]
  . (variable_declaration . (identifier) @name)) @property)
(source_file (property_declaration (variable_declaration . (identifier) @name)) @variable)
(source_file (property_declaration (multi_variable_declaration (variable_declaration . (identifier) @name))) @variable)
(type_alias type: (identifier) @name) @type
`,
  identifiers: ["identifier"]
};

// builtins/symbols/queries/lua.ts
var lua = {
  name: "Lua",
  grammar: "lua",
  extensions: ["lua"],
  interpreters: ["lua", "luajit"],
  definitions: `
(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @method
(assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition) .)) @function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .)
  (expression_list . value: (function_definition) .)) @function
(field name: (identifier) @name value: (function_definition)) @method
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @variable)
(chunk (variable_declaration (variable_list name: (identifier) @name)) @variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)
`,
  identifiers: ["identifier"]
};

// builtins/symbols/queries/php.ts
var php = {
  name: "PHP",
  grammar: "php",
  extensions: ["php", "phtml", "php5"],
  interpreters: ["php"],
  definitions: `
(namespace_definition name: (_) @name body: (_)) @namespace
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @member
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(const_declaration (const_element (name) @name)) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @property
(property_promotion_parameter name: (variable_name (name) @name)) @property
`,
  identifiers: ["name"]
};

// builtins/symbols/queries/powershell.ts
var powershell = {
  name: "PowerShell",
  grammar: "powershell",
  extensions: ["ps1", "psm1"],
  interpreters: ["pwsh"],
  definitions: `
(function_statement (function_name) @name) @function
(class_statement . (simple_name) @name) @class
(class_method_definition (simple_name) @name) @method
(class_property_definition (variable) @name) @property
(enum_statement . (simple_name) @name) @enum
(enum_member (simple_name) @name) @member
`,
  identifiers: ["command_name", "simple_name", "variable", "member_name", "generic_token"]
};

// builtins/symbols/queries/python.ts
var python = {
  name: "Python",
  grammar: "python",
  extensions: ["py", "pyi", "pyw"],
  interpreters: ["python", "python2", "python3", "pypy3"],
  definitions: `
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(type_alias_statement left: (type (identifier) @name)) @type
(module (expression_statement (assignment left: (identifier) @name) @variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @property)))
`,
  identifiers: ["identifier"]
};

// builtins/symbols/queries/ruby.ts
var ruby = {
  name: "Ruby",
  grammar: "ruby",
  extensions: ["rb", "rake", "gemspec", "ru"],
  interpreters: ["ruby"],
  definitions: `
(class name: (constant) @name) @class
(class name: (scope_resolution scope: (_) @owner name: (constant) @name)) @class
(module name: (constant) @name) @module
(module name: (scope_resolution scope: (_) @owner name: (constant) @name)) @module
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(assignment left: (constant) @name) @constant
(alias name: (_) @name) @method
`,
  identifiers: ["identifier", "constant", "instance_variable", "class_variable", "global_variable", "simple_symbol"]
};

// builtins/symbols/queries/rust.ts
var rust = {
  name: "Rust",
  grammar: "rust",
  extensions: ["rs"],
  definitions: `
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name) (scoped_type_identifier name: (type_identifier) @name)]) @scope
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @union
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @member
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(mod_item name: (identifier) @name) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(macro_definition name: (identifier) @name) @macro
(field_declaration name: (field_identifier) @name) @field
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "shorthand_field_identifier"]
};

// builtins/symbols/queries/swift.ts
var OPERATORS = "+ - * / % == != < > <= >= === !== ! ~ ++ -- & | ^ << >> += -= *= /= %= ... ..< && || ??".split(" ").map((operator) => `"${operator}"`).join(" ");
var swift = {
  name: "Swift",
  grammar: "swift",
  extensions: ["swift"],
  interpreters: ["swift"],
  definitions: `
(class_declaration declaration_kind: "extension" name: (user_type) @name) @scope
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @enum
(class_declaration name: (type_identifier) @name) @class
(protocol_declaration name: (type_identifier) @name) @interface
(enum_entry name: (simple_identifier) @name) @member
(function_declaration name: [(simple_identifier) (custom_operator) ${OPERATORS}] @name) @function
(protocol_function_declaration name: [(simple_identifier) (custom_operator) ${OPERATORS}] @name) @method
(init_declaration "init" @name) @constructor
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name) @method
(typealias_declaration . (modifiers)? . name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
(macro_declaration (simple_identifier) @name) @macro
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property)
(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable)
(source_file (property_declaration name: (pattern (pattern (simple_identifier) @name))) @variable)
`,
  identifiers: ["simple_identifier", "type_identifier"]
};

// builtins/symbols/queries/typescript.ts
var definitions = `${ECMASCRIPT_DEFINITIONS}
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(class name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(enum_body name: (property_identifier) @name @member)
(enum_assignment name: (property_identifier) @name) @member
(internal_module name: [(identifier) (nested_identifier)] @name) @namespace
(module name: [(identifier) (nested_identifier)] @name) @namespace
(abstract_method_signature name: (property_identifier) @name) @method
(method_signature name: (property_identifier) @name) @method
(function_signature name: (identifier) @name) @function
(interface_body (property_signature name: (property_identifier) @name) @property)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @property
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @property
(required_parameter "readonly" pattern: (identifier) @name) @property
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
`;
var identifiers = [...ECMASCRIPT_IDENTIFIERS, "type_identifier"];
var typescript = {
  name: "TypeScript",
  grammar: "typescript",
  extensions: ["ts", "mts", "cts"],
  definitions,
  identifiers
};
var tsx = { name: "TSX", grammar: "tsx", extensions: ["tsx"], definitions, identifiers };

// builtins/symbols/languages.ts
var LANGUAGES = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  kotlin,
  csharp,
  c,
  cpp,
  swift,
  ruby,
  php,
  lua,
  bash,
  powershell,
  css
];
var byExtension = new Map(LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language])));
var byInterpreter = new Map(
  LANGUAGES.flatMap((language) => (language.interpreters ?? []).map((interpreter) => [interpreter, language]))
);

// zz-q2.ts
process.stdout.write(LANGUAGES.find((x) => x.grammar === process.argv[2]).definitions);
