//! Gives a class its probes: those that count calls, bytecodes and allocations
//! for every calling context, and those that follow data where the mode asks
//! for it.

use classfile::{ClassEditor, ClassFile, Code, CodeEdit, LocalType, Member, PoolExtension, access};
use profile::Definition;
use profile::metadata::Record;

use super::class_load::{LoadRequest, Subject, Transformed};
use super::dangling::has_dangling_names;
use super::environment::Environment;
use super::jdk_methods::{
    defines_hidden_classes, edit_linker, filters_fields, hide_fields, hide_fields_in_filters,
    rewrite_hidden_class, set_first_slots, tag_objects, tell_original_index, tell_original_indices,
    tells_index,
};
use super::probes::{self, Context};
use super::secondary_seeds::{leave_secondary_seeds, leave_seeds_without_probes};
use super::workspaces::{Workspace, Workspaces};
use crate::catalogue::{Snapshot, TargetsOfClass};
use crate::code_indices::moved::Moved;
use crate::dataflow;
use crate::dataflow::capability::Capability;
use crate::dataflow::methods::activation::enter;
use crate::dataflow::methods::follow::{Followed, Following, Obstacle};
use crate::dataflow::methods::upcalls;
use crate::dataflow::mode::DataflowOptions;
use crate::dataflow::objects::tags::subject::Subject as Makes;
use crate::dataflow::unfollowed::Duties;
use crate::modified_utf8;
use crate::plan::bytes::AllocatedBytes;
use crate::plan::policy::{self, ClassPolicy, MethodPolicy};
use crate::plan::{CutRules, MOST_CUTS, MOST_CUTS_IF_FOLLOWED, MethodPlan};
use crate::probe::Access;
use crate::probe::members::{self, Family};
use crate::splits::rules::Split;

/// Rewrites classes for a recording.
#[derive(Debug)]
pub struct Rewriter<'r> {
    pub(super) recording: Environment<'r>,
    workspaces: &'r Workspaces,
    /// Which targets it knows.
    snapshot: Snapshot,
}

/// A method and what was decided about it.
pub(super) struct Decided<'a> {
    pub(super) method: Member<'a>,
    pub(super) code: Code<'a>,
    pub(super) plan: MethodPlan,
    pub(super) was_intrinsic: bool,
    /// True if its values are followed.
    pub(super) is_followed: bool,
    /// What it does for those that are followed where it is not.
    pub(super) duties: Duties,
    /// True if what it makes gets tags.
    pub(super) is_tagged: bool,
    /// How its contexts differ by texts, if they do.
    pub(super) split: Option<Split>,
}

impl<'r> Rewriter<'r> {
    /// For one class.
    pub fn new(recording: Environment<'r>, workspaces: &'r Workspaces, snapshot: Snapshot) -> Self {
        Self { recording, workspaces, snapshot }
    }

    /// What the JVM is to parse instead of a class; `None` to take it as it is.
    pub fn transform(&self, request: &LoadRequest<'_>) -> Option<Transformed> {
        if let Some(name) = request.name {
            self.recording.noticed.note(name, request.is_redefined);
        }
        // While recording is off, only classes of the JDK are of interest.
        let may_be_ours = request.name.is_none_or(|name| name == b"subsume/Profile");
        let may_stay = !self.recording.is_recording && !self.adds_fields();
        if may_stay && !request.boot && !may_be_ours {
            return None;
        }
        let Ok(class) = ClassFile::parse(request.bytes) else {
            if let Some(known) = self.recording.last_writers() {
                request.name.map_or_else(|| known.lack_somewhere(), |name| known.lack(name));
            }
            return None;
        };
        if request.name.is_none() {
            self.recording.noticed.note(class.this_class(), request.is_redefined);
        }
        self.declare_static_fields(&class);
        if has_dangling_names(&class) {
            self.lacks_last_writers(class.this_class());
            return None;
        }
        if class.this_class() == b"subsume/Profile" {
            if self.recording.is_attached {
                return None;
            }
            let bytes = self.recording.shim.profile_api.to_vec();
            return Some(Transformed { bytes, moved: Moved::default() });
        }
        let subject = Subject {
            class: &class,
            name: modified_utf8::decode(class.this_class()).into_owned(),
            boot: request.boot,
            is_redefined: request.is_redefined,
            is_hidden: false,
            definition: request.definition,
        };
        if request.boot && !self.recording.catalogue.knows_targets(class.this_class()) {
            let targets = self.number_targets(&subject);
            self.recording.catalogue.add_targets(class.this_class(), targets);
            if self.recording.is_recording {
                self.mention_late_natives(&subject);
            }
        }
        if let Some(graph) = self.recording.graph.filter(|_| self.follows_values()) {
            graph.numbers.structure(&class, |record| {
                self.recording.append(record);
            });
        }
        self.declare_superclass(&class);
        self.rewrite(&subject)
    }

    /// How data is followed, if it is.
    pub(super) fn dataflow(&self) -> Option<DataflowOptions> {
        self.recording.options.mode.dataflow
    }

    /// Whether the methods that link calls tell when they begin and end, for measurements.
    fn tells_links(&self) -> bool {
        self.recording.has_runtime
            && !self.recording.is_attached
            && self.recording.options.mode.calls
            && !self.follows_values()
    }

    /// Whether values are followed from method to method.
    pub(super) fn follows_values(&self) -> bool {
        self.dataflow().is_some_and(|dataflow| dataflow.mode.has(Capability::FollowsValues))
    }

    /// Whether the options choose the class, of those that get probes or of which loops
    /// are judged.
    fn is_chosen(&self, subject: &Subject<'_>) -> bool {
        self.recording.options.classes.wants(&subject.name)
    }

    /// Whether classes get probes that the options do not choose.
    fn instruments_all_classes(&self) -> bool {
        self.dataflow().is_some_and(|dataflow| dataflow.mode.has(Capability::InstrumentsAllClasses))
    }

    /// A hidden class with probes; `None` to take it as it is.
    pub fn hidden_class(&self, bytes: &[u8]) -> Option<Transformed> {
        if !self.recording.is_recording {
            return None;
        }
        let class = ClassFile::parse(bytes).ok()?;
        if has_dangling_names(&class) {
            return None;
        }
        self.declare_superclass(&class);
        let name = modified_utf8::decode(class.this_class()).into_owned();
        let subject = Subject {
            class: &class,
            name,
            boot: false,
            is_redefined: false,
            is_hidden: true,
            definition: &Definition::UNKNOWN,
        };
        self.rewrite(&subject)
    }

    fn rewrite(&self, subject: &Subject<'_>) -> Option<Transformed> {
        self.workspaces.with(|workspace| self.rewrite_in(subject, workspace))
    }

    fn rewrite_in(&self, subject: &Subject<'_>, workspace: &mut Workspace) -> Option<Transformed> {
        let Workspace { scratch, edit } = workspace;
        let mut editor = ClassEditor::with_scratch(subject.class, scratch);
        if subject.is_redefined {
            // HotSpot merges the constant pools of both versions, and where an index outgrows
            // its instruction, it moves the code behind: then nobody knows where it went.
            editor.pool().load_wide();
        }
        let families = match self.recording.is_attached {
            true => Vec::new(),
            false => {
                let has_texts = self.recording.splits.is_some();
                dataflow::families(&self.recording.options.mode, has_texts)
            }
        };
        let shim = &self.recording.shim;
        let mut changed = match members::add_members(subject.class, &families, shim, &mut editor) {
            Ok(added) => added,
            Err(refusal) => {
                self.skip_class(subject, &refusal.to_string());
                self.lacks_last_writers(subject.class.this_class());
                return None;
            }
        };
        changed |= self.name_probes_in_advance(subject, &families, &mut editor);
        if self.adds_fields() {
            changed |= self.give_fields(subject, &mut editor);
        }
        if self.adds_fields() && self.recording.has_runtime {
            match hide_fields_in_filters(subject, edit, &mut editor) {
                Ok(hidden) => changed |= hidden,
                Err(refusal) => self.skip_class(subject, &refusal.to_string()),
            }
        }
        if self.recording.has_runtime {
            match tell_original_indices(subject, edit, &mut editor) {
                Ok(told) => changed |= told,
                Err(refusal) => self.skip_class(subject, &refusal.to_string()),
            }
        }
        if subject.class.this_class() == b"java/lang/Thread"
            && !self.recording.is_attached
            && let Err(refusal) =
                set_first_slots(self.recording.base_address, subject, edit, &mut editor)
        {
            self.skip_class(subject, &refusal.to_string());
            self.lacks_last_writers(subject.class.this_class());
            return None;
        }
        let is_wanted = self.recording.is_recording && self.is_wanted(subject);
        if self.recording.takes_seeds && !is_wanted {
            match leave_seeds_without_probes(subject, edit, &mut editor) {
                Ok(left) => changed |= left,
                Err(refusal) => self.skip_class(subject, &refusal.to_string()),
            }
        }
        if is_wanted {
            let mut decided = self.decide(subject);
            let first = self.number_methods(subject, &decided);
            for (number, decided) in (first..).zip(&mut decided) {
                changed |= self.edit_or_fall_back(subject, decided, number, edit, &mut editor);
            }
        }
        if self.recording.is_recording && self.is_unfollowed(subject) {
            changed |= self.rewrite_unfollowed(subject, edit, &mut editor);
        }
        if self.recording.is_recording
            && subject.boot
            && upcalls::is_linker(subject.class.this_class())
        {
            let mode = self.dataflow().filter(|_| self.recording.graph.is_some());
            let mode = mode.map(|flow| flow.mode);
            match edit_linker(mode, self.tells_links(), subject, edit, &mut editor) {
                Ok(edited) => changed |= edited,
                Err(refusal) => self.skip_class(subject, &refusal.to_string()),
            }
        }
        if self.recording.is_recording
            && self.recording.tags.is_some()
            && subject.class.this_class() == b"java/lang/Object"
        {
            match tag_objects(subject, edit, &mut editor) {
                Ok(()) => changed = true,
                Err(refusal) => self.skip_class(subject, &refusal.to_string()),
            }
        }
        if self.recording.is_recording && subject.boot {
            for (index, method) in subject.class.methods().iter().enumerate() {
                if policy::calls_less_when_compiled(&subject.name, method.name())
                    && editor.remove_annotation(index, policy::INTRINSIC) == Ok(true)
                {
                    changed = true;
                }
            }
        }
        changed.then(|| {
            let moved = Moved::of(subject.class, &editor);
            Transformed { bytes: editor.finish(), moved }
        })
    }

    /// Puts the names of all probes in front of what else the constant pool gets, if the
    /// class is loaded without probes and gets them at once, and again when it does; true
    /// if it has them then. HotSpot compares what is at the same place in both pools first,
    /// and each entry that it has not found so with all others.
    fn name_probes_in_advance(
        &self,
        subject: &Subject<'_>,
        families: &[Family],
        editor: &mut ClassEditor<'_>,
    ) -> bool {
        let has_code =
            |method: Member<'_>| method.access_flags() & (access::ABSTRACT | access::NATIVE) == 0;
        let gets_probes = self.recording.names_in_advance
            && subject.boot
            && policy::class_policy(&subject.name) == ClassPolicy::Instrument
            && (self.is_chosen(subject) || self.instruments_all_classes())
            && subject.class.methods().iter().any(has_code);
        if !gets_probes {
            return false;
        }
        let access = Access::of(subject.boot, self.recording.is_attached);
        let mut probes = families.iter().flat_map(|family| family.probes);
        // A class whose pool is full gets no probes either.
        probes.all(|probe| access.reference(probe, editor.pool()).is_ok())
    }

    fn is_wanted(&self, subject: &Subject<'_>) -> bool {
        if self.recording.is_attached && policy::is_own_event(subject.class.this_class()) {
            self.skip_class(subject, policy::FLIGHT_RECORDER);
            return false;
        }
        match policy::class_policy(&subject.name) {
            ClassPolicy::Instrument if self.is_chosen(subject) => true,
            ClassPolicy::Instrument if self.instruments_all_classes() => true,
            ClassPolicy::Instrument => {
                self.skip_class(subject, "the options include and exclude leave it out");
                false
            }
            ClassPolicy::Plain(reason) => {
                self.skip_class(subject, reason);
                false
            }
            ClassPolicy::Ours => false,
        }
    }

    /// Decides about every method; those that stay as they are get listed.
    fn decide<'a>(&self, subject: &Subject<'a>) -> Vec<Decided<'a>> {
        let mut decided = Vec::with_capacity(subject.class.methods().len());
        let own_targets =
            if subject.boot { TargetsOfClass::default() } else { self.number_targets(subject) };
        let targets = |owner: &[u8], name: &[u8], descriptor: &[u8]| {
            if !subject.boot && owner == subject.class.this_class() {
                return own_targets.get(name, descriptor);
            }
            self.recording.catalogue.target(owner, name, descriptor, self.snapshot)
        };
        for (index, method) in subject.class.methods().iter().enumerate() {
            let code = match method.code() {
                Ok(Some(code)) => code,
                Ok(None) => {
                    self.mention_uncounted_native(subject, &method);
                    continue;
                }
                Err(error) => {
                    self.skip_method(subject, &method, &error.to_string());
                    continue;
                }
            };
            let was_intrinsic = match policy::method_policy(&subject.name, &method, code.bytecode())
            {
                MethodPolicy::Instrument => false,
                MethodPolicy::InstrumentIntrinsic => true,
                MethodPolicy::Opaque => {
                    self.skip_method(
                        subject,
                        &method,
                        "the JVM has machine code for it; calls are counted where they are bound statically",
                    );
                    continue;
                }
                MethodPolicy::Derived => continue,
                MethodPolicy::Plain(reason) => {
                    self.skip_method(subject, &method, reason);
                    continue;
                }
            };
            let mode =
                self.dataflow().filter(|_| self.recording.graph.is_some()).map(|flow| flow.mode);
            let rules = CutRules {
                most: if mode.is_some() { MOST_CUTS_IF_FOLLOWED } else { MOST_CUTS },
                of_last_nodes: mode.is_some_and(|mode| mode.has(Capability::CountsLastNodes)),
            };
            let mut plan = MethodPlan::new(index, &method, &code, &targets, rules);
            let is_followed = mode.is_some_and(|mode| mode.plan(&mut plan, &code));
            if self.recording.options.lines {
                plan.count_lines();
            }
            if self.recording.options.counts_bytes() {
                let sizes = self.recording.sizes;
                match AllocatedBytes::of(&code, |class| sizes.cell(class, subject.boot)) {
                    Some(allocated) => plan.count_bytes(allocated),
                    None => self.skip_method(
                        subject,
                        &method,
                        "its bytes are not counted: it allocates one class too many",
                    ),
                }
            }
            let is_tagged = self.recording.tags.is_some();
            let duties = self.duties();
            let splits = self.recording.splits;
            let split = splits.and_then(|splits| splits.rules.of(subject.class, &method));
            decided.push(Decided {
                method,
                code,
                plan,
                was_intrinsic,
                is_followed,
                duties,
                is_tagged,
                split,
            });
        }
        decided
    }

    pub(super) fn edit_method(
        &self,
        subject: &Subject<'_>,
        decided: &Decided<'_>,
        number: u32,
        edit: &mut CodeEdit,
        editor: &mut ClassEditor<'_>,
    ) -> Result<(), Obstacle> {
        let code = &decided.code;
        edit.restart(code);
        if defines_hidden_classes(subject, &decided.method) && !self.recording.is_attached {
            edit.at_entry(rewrite_hidden_class(editor)?);
        }
        if self.adds_fields() && filters_fields(subject, &decided.method) {
            edit.at_entry(hide_fields(editor)?);
        }
        if self.recording.has_runtime && tells_index(subject, &decided.method) {
            tell_original_index(code, edit, editor)?;
        }
        if subject.class.this_class() == b"java/lang/Thread"
            && decided.method.name() == b"<init>"
            && !self.recording.is_attached
        {
            edit.at_entry(members::set_first_slot(self.recording.base_address, editor.pool())?);
        }
        if self.recording.takes_seeds {
            leave_secondary_seeds(subject, &decided.method, code, edit, editor)?;
        }
        let keeps_text = decided.split.as_ref().is_some_and(|split| split.is_kept(&decided.method));
        let mut context = Context {
            access: Access::of(subject.boot, self.recording.is_attached),
            overflow_node: subject.is_hidden.then(|| self.recording.trees.scratch_node(number)),
            activation: None,
            leaving: None,
            text: decided.split.as_ref().map(|split| split.local),
            kept_text: keeps_text.then(|| edit.new_local(LocalType::Int)),
            has_calls: self.recording.options.mode.calls,
        };
        if let Some(flow) = self.dataflow().filter(|flow| flow.mode.has(Capability::FollowsChains))
        {
            let what = (code, decided.plan.body, decided.is_followed.then_some(number));
            context.activation =
                Some(enter(flow.contexts, what, context.access, edit, editor.pool())?);
        }
        if let Some(dataflow) = self.dataflow().filter(|_| decided.is_followed) {
            let body = decided.plan.body;
            context.leaving =
                dataflow.mode.enter((code, body), context.access, edit, editor.pool())?;
        }
        let kept = probes::insert(context, &decided.plan, code, number, edit, editor.pool())?;
        let mut owners = None;
        if let Some(tags) = self.recording.tags.filter(|_| decided.is_tagged) {
            let initialisation = code.initialisation();
            let access = context.access;
            let plan = decided.is_followed.then_some(&decided.plan);
            let makes = Makes { code, number, access, initialisation: &initialisation, plan };
            owners = Some(dataflow::objects::tags::allocation_hooks::insert(
                tags,
                makes,
                edit,
                editor.pool(),
            )?);
        }
        if let Some(flow) = self.dataflow() {
            let (method, access) = (&decided.method, context.access);
            flow.mode.edit_unconditionally(method, code, access, edit, editor.pool())?;
        }
        if decided.is_followed {
            let followed = Followed {
                method: decided.method,
                code,
                plan: &decided.plan,
                number,
                access: context.access,
                owners: owners.as_ref(),
                copies: kept.copies,
                bytecodes: kept.bytecodes,
                node: kept.node,
                leaving: context.leaving,
                is_chosen: self.is_chosen(subject),
                is_included: self.is_chosen(subject)
                    && self.recording.options.classes.has_include(),
                activation: context.activation,
            };
            self.follow(followed, edit, editor.pool())?;
        } else {
            self.insert_unfollowed(code, decided.duties, context.access, edit, editor.pool())?;
        }
        editor.edit_code(decided.plan.index, edit)?;
        if decided.was_intrinsic {
            editor.remove_annotation(decided.plan.index, policy::INTRINSIC)?;
        }
        Ok(())
    }

    /// Adds what follows the values of a method. Where that fails, the edit must begin again:
    /// what it has so far relies on it.
    fn follow(
        &self,
        followed: Followed<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle> {
        let (Some(graph), Some(flow)) = (self.recording.graph, self.dataflow()) else {
            return Ok(());
        };
        let write = |record: &Record| {
            // Without room for it there is none for its edges.
            self.recording.append(record);
        };
        flow.mode.follow(followed, &Following { graph, write: &write }, edit, pool)
    }

    pub(super) fn skip_class(&self, subject: &Subject<'_>, reason: &str) {
        self.recording.writer.skip(&policy::display_name(subject.class.this_class()), "", reason);
    }

    pub(super) fn skip_method(&self, subject: &Subject<'_>, method: &Member<'_>, reason: &str) {
        let name = modified_utf8::decode(method.name());
        let descriptor = modified_utf8::decode(method.descriptor());
        let class = policy::display_name(subject.class.this_class());
        self.recording.writer.skip(&class, &format!("{name}{descriptor}"), reason);
    }
}
