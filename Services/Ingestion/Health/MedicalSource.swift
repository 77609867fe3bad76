/// Where a limit or a score comes from (ING-09). Each answer names it.
enum MedicalSource: String, Sendable, CaseIterable, Encodable {
    case lifesEssential8 = "lifes-essential-8"
    case steps
    case activity
    case sleep
    case earlyWarning = "early-warning"
    case childVitals = "child-vitals"
    case bloodPressure = "blood-pressure"
    case homeBloodPressure = "home-blood-pressure"
    case lowBloodPressure = "low-blood-pressure"
    case oximetry
    case glucose
    case glucoseDiagnosis = "glucose-diagnosis"
    case bodyMass = "body-mass"
    case weightLoss = "weight-loss"
    case restingPulse = "resting-pulse"
    case restingPulseTrend = "resting-pulse-trend"

    /// Author, year, title, place.
    var citation: String {
        switch self {
        case .lifesEssential8:
            "Lloyd-Jones and others 2022, Life's Essential 8, Circulation 146:e18–e43 (American Heart Association)"
        case .steps:
            "Paluch and others 2022, Daily steps and all-cause mortality, Lancet Public Health 7:e219–e228"
        case .activity: "World Health Organization 2020, Guidelines on physical activity and sedentary behaviour"
        case .sleep:
            "Hirshkowitz and others 2015, National Sleep Foundation's sleep time duration, Sleep Health 1:40–43"
        case .earlyWarning: "Royal College of Physicians 2017, National Early Warning Score (NEWS) 2"
        case .childVitals:
            "Fleming and others 2011, Normal ranges of heart rate and respiratory rate in children, Lancet 377:1011–1018"
        case .bloodPressure:
            "McEvoy and others 2024, ESC Guidelines for elevated blood pressure and hypertension, Eur Heart J 45:3912–4018"
        case .homeBloodPressure:
            "Mancia and others 2023, ESH Guidelines for the management of arterial hypertension, J Hypertens 41:1874–2071"
        case .lowBloodPressure: "National Heart, Lung, and Blood Institute 2022, Low Blood Pressure"
        case .oximetry: "World Health Organization 2011, Pulse oximetry training manual"
        case .glucose:
            "Shah and others 2019, Continuous glucose monitoring profiles in healthy nondiabetic participants, J Clin Endocrinol Metab 104:4356–4364"
        case .glucoseDiagnosis:
            "American Diabetes Association 2025, Diagnosis and classification of diabetes, Diabetes Care 48(S1):S27–S49"
        case .bodyMass: "World Health Organization 2000, Obesity, Technical Report Series 894"
        case .weightLoss: "Cederholm and others 2019, GLIM criteria for malnutrition, Clin Nutr 38:1–9"
        case .restingPulse: "American Heart Association 2024, All about heart rate"
        case .restingPulseTrend:
            "Radin and others 2020, Harnessing wearable device data for influenza-like illness, Lancet Digit Health 2:e85–e93"
        }
    }
}
